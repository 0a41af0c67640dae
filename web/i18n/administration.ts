// Texts of the administration in both languages; loaded with its screens.
import { defineSection, defineTranslation } from './translation.ts'
import { accountText } from './account.ts'
import { revenueText } from './revenue.ts'
import { signInText } from './sign-in.ts'

export const administrationText = defineSection({
  administration: {
    keys: ['Integrasjoner', 'Integrations'],
    people: ['Personer', 'People'],
    settings: ['Innstillinger', 'Settings'],
    newCredential: ['Ny nøkkel eller nytt passord', 'New key or password'],
    create: { key: ['Lag nøkkelen', 'Create the key'], password: ['Lag passordet', 'Create the password'] },
    kinds: { key: ['nøkkel', 'key'], password: ['passord', 'password'] },
    kind: ['Integrasjonen sender', 'The integration sends'],
    kindChoices: {
      key: ['en API-nøkkel', 'an API key'],
      password: ['firma og passord, som eldre kasser gjør', 'company and password, as older tills do'],
    },
    wholeCompany: ['Firmaets eget passord', 'The company’s own password'],
    noKeys: ['Ingen integrasjon har tilgang', 'No integration has access'],
    noKeysText: [
      'Lag én nøkkel, eller ett passord, for hver integrasjon, med bare de tilgangene den trenger.',
      'Create one key or password per integration, with only the access it needs.',
    ],
    keyStates: {
      live: ['i\u00A0bruk', 'in\u00A0use'],
      expired: ['utløpt', 'expired'],
      revoked: ['slettet', 'deleted'],
    },
    columns: {
      kind: ['Type', 'Kind'],
      id: ['Id', 'Id'],
      succeeded: ['Sist vellykket', 'Last success'],
      rejected: ['Sist avvist', 'Last rejected'],
      expires: ['Utløper', 'Expires'],
      networks: ['Bare fra', 'Only from'],
    },
    neverUsed: ['aldri brukt', 'never used'],
    neverExpires: ['utløper ikke', 'does not expire'],
    keyActions: { keyRotate: ['Forny', 'Renew'], keyRevoke: ['Slett', 'Delete'] },
    keyActionTexts: {
      keyRotate: [
        'En til med de samme tilgangene. Begge virker til du sletter den gamle.',
        'Creates another with the same access. Both work until you delete the old one.',
      ],
      keyRevoke: [
        'Alt som bruker den, slutter å virke med en gang. Dette kan ikke angres.',
        'Everything that uses it stops working at once. This cannot be undone.',
      ],
    },
    revoked: (count: number) => [`${count} er slettet`, `${count} deleted`],
    credentialOf: {
      key: (name: string) => [`Nøkkelen til ${name}`, `Key for ${name}`],
      password: (name: string) => [`Passord: ${name}`, `Password: ${name}`],
    },
    shownOnce: {
      key: [
        'Nøkkelen vises bare nå. Kopier den dit den skal brukes.',
        'The key is shown only now. Copy it to where it will be used.',
      ],
      password: [
        'Passordet vises bare nå. Integrasjonen sender det sammen med firmaets navn.',
        'The password is shown only now. The integration sends it with the company’s name.',
      ],
    },
    secretSaved: ['Jeg har tatt vare på den', 'I have saved it'],
    keyName: ['Integrasjon', 'Integration'],
    keyNameHint: ['Navnet vises i revisjonen', 'The name appears in the audit'],
    keyNameMissing: ['Skriv navnet på integrasjonen.', 'Enter the name of the integration.'],
    scopes: ['Tilganger', 'Access'],
    scopesMissing: ['Velg minst én tilgang.', 'Choose at least one kind of access.'],
    presets: ['Vanlige integrasjoner', 'Common integrations'],
    presetNames: {
      till: ['Kasse', 'Till'],
      accounting: ['Regnskap henter', 'Accounting fetches'],
      reports: ['Excel eller Power BI leser', 'Excel or Power BI reads'],
    },
    scopeNames: {
      'revenue:read': ['lese omsetning', 'read revenue'],
      'revenue:write': ['skrive omsetning', 'write revenue'],
      'directory:read': ['lese registeret', 'read the directory'],
      'directory:personal': ['lese personopplysninger', 'read personal details'],
      'directory:write': ['endre registeret', 'change the directory'],
      'material:read': ['lese uttak', 'read material'],
      'material:write': ['registrere uttak', 'register material'],
      'material:approve': ['godkjenne uttak', 'approve material'],
      'material:export': ['hente og melde eksport', 'fetch and report exports'],
      'export:undo': ['angre eksport', 'undo exports'],
    },
    lifetime: ['Utløper etter', 'Expires after'],
    days: {
      '30': ['30 dager', '30 days'],
      '90': ['90 dager', '90 days'],
      '365': ['ett år', 'one year'],
      '': ['aldri', 'never'],
    },
    invite: ['Inviter', 'Invite'],
    sendInvitation: ['Send invitasjonen', 'Send the invitation'],
    createLink: ['Lag lenke', 'Create a link'],
    invitations: ['Invitasjoner som venter', 'Pending invitations'],
    inviteAgain: ['Send på nytt', 'Send again'],
    withdrawInvitation: ['Slett invitasjonen', 'Delete the invitation'],
    validUntil: ['Gjelder til', 'Valid until'],
    invitationSent: (email: string) => [
      `Invitasjonen er på vei til ${email}.`,
      `The invitation is on its way to ${email}.`,
    ],
    noMail: [
      'E-post er ikke satt opp på serveren. Du får en lenke som du selv gir til den du inviterer.',
      'E-mail is not configured on the server. You get a link to pass on to the person you invite.',
    ],
    invitationTo: (email: string) => [`Invitasjon til ${email}`, `Invitation for ${email}`],
    linkShownOnce: [
      'Gi lenken bare til den du inviterer. Den vises bare nå, virker én gang og gjelder i sju dager.',
      'Give the link only to the person you invite. It is shown only now, works once, and is valid for seven days.',
    ],
    shutOut: ['Fjern tilgang', 'Remove access'],
    letIn: ['Gi tilgang igjen', 'Give access again'],
    shutOutSince: (moment: string) => [`uten tilgang siden ${moment}`, `without access since ${moment}`],
    person: ['Person', 'Person'],
    access: ['Tilgang', 'Access'],
    role: ['Rolle', 'Role'],
    roleTexts: {
      registrant: ['registrerer uttak, og retter sine egne', 'registers material, and corrects their own lines'],
      viewer: ['ser omsetning, uttak, eksport og register', 'sees revenue, material, export and directory'],
      approver: ['godkjenner uttak og retter omsetning', 'approves material and corrects revenue'],
      auditor: ['ser alt en leser ser, og revisjonen', 'sees what a viewer sees, and the audit'],
      admin: ['kan alt, også administrere', 'may do everything, including administration'],
    },
    departmentsHint: ['Velger du ingen, gjelder det alle', 'None selected means all'],
  },
})

export const useAdministrationText = defineTranslation(administrationText, accountText, revenueText, signInText)
