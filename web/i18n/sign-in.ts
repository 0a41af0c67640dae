// Texts of sign-in, invitations and password resets in both languages; loaded with their screens.
import { defineSection, defineTranslation } from './translation.ts'

export const signInText = defineSection({
  links: {
    invitation: ['Invitasjon', 'Invitation'],
    invited: (company: string, role: string) => [
      `Du er invitert til ${company} som ${role.toLowerCase()}.`,
      `You are invited to ${company} as ${role.toLowerCase()}.`,
    ],
    invitationExpired: [
      'Invitasjonen gjelder ikke lenger: hver lenke virker én gang, og i sju dager. Be den som inviterte deg, om en ny.',
      'The invitation is no longer valid: each link works once, for seven days. Ask the person who invited you for a new one.',
    ],
    name: ['Navnet ditt', 'Your name'],
    knownHint: [
      'Du har en bruker her fra før: oppgi passordet du har.',
      'You already have an account here: enter its password.',
    ],
    passwordHint: [
      'Minst 15 tegn. Flere ord etter hverandre er lett å huske og vanskelig å gjette.',
      'At least 15 characters. Several words in a row are easy to remember and hard to guess.',
    ],
    nameMissing: ['Skriv navnet ditt.', 'Enter your name.'],
    passwordMissing: ['Skriv et passord.', 'Enter a password.'],
    joinCompany: (company: string) => [`Bli med i ${company}`, `Join ${company}`],
    forgotten: ['Glemt passordet?', 'Forgot your password?'],
    forgottenHint: [
      'Vi sender en lenke dit, som virker i 60 minutter',
      'We will send you a link, which works for 60 minutes',
    ],
    send: ['Send lenken', 'Send the link'],
    linkSent: (email: string) => [
      `Hvis ${email} har en bruker her, kommer det en e-post om noen minutter. Sjekk også søppelposten.`,
      `If ${email} has an account here, an e-mail arrives within a few minutes. Check your spam folder too.`,
    ],
    toSignIn: ['Til innloggingen', 'Go to sign-in'],
    newPassword: ['Nytt passord', 'New password'],
    setPassword: ['Bytt passord', 'Change the password'],
    changed: [
      'Passordet er byttet, og du er logget ut overalt. Logg inn med det nye.',
      'The password is changed, and you are signed out everywhere. Sign in with the new one.',
    ],
    newLink: ['Få en ny lenke', 'Get another link'],
  },
  signIn: {
    title: ['Logg inn', 'Sign in'],
    purpose: [
      'Omsetning, uttak og eksport til regnskapet på ett sted.',
      'Revenue, used material and export to accounting in one place.',
    ],
    companyHint: ['Bare nødvendig hvis du har tilgang til flere', 'Only needed if you belong to several'],
    email: ['E-post', 'E-mail'],
    emailMissing: ['Skriv en e-postadresse.', 'Enter an e-mail address.'],
    password: ['Passord', 'Password'],
    showPassword: ['Vis passordet', 'Show the password'],
    wrong: ['E-post eller passord er feil.', 'The e-mail or the password is wrong.'],
    required: ['Fyll ut e-post og passord.', 'Fill in e-mail and password.'],
    insecureTitle: ['Innlogging krever en sikker forbindelse', 'Signing in needs a secure connection'],
    insecureText: [
      'Siden er åpnet over vanlig http. Da kan ikke nettleseren huske innloggingen, og passordet sendes ukryptert over nettet. Åpne den sikre adressen:',
      'This page was opened over plain http. The browser cannot keep the session then, and the password would be sent unencrypted. Open the secure address:',
    ],
  },
  reauthentication: {
    title: ['Bekreft passordet', 'Confirm your password'],
    text: [
      'Det er mer enn fem minutter siden du sist oppga passordet.',
      'You last confirmed your password more than five minutes ago.',
    ],
    wrong: ['Passordet er feil.', 'The password is wrong.'],
    continue: ['Fortsett', 'Continue'],
  },
  expired: {
    title: ['Du er logget ut', 'You are signed out'],
    text: [
      'Økten er over. Det du har skrevet, er her fortsatt: logg inn igjen, og fortsett der du var.',
      'The session has ended. What you typed is still here: sign in again, and continue where you were.',
    ],
    email: (email: string) => [`Passordet til ${email}`, `The password of ${email}`],
    other: ['Logg inn på nytt som en annen', 'Sign in as somebody else'],
    otherTab: ['Logg inn i en ny fane', 'Sign in in a new tab'],
    otherTabText: ['Kom tilbake hit når du har logget inn der.', 'Come back here when you have signed in there.'],
    continue: ['Jeg har logget inn', 'I have signed in'],
    notYet: ['Du er ikke logget inn ennå.', 'You are not signed in yet.'],
  },
  replaced: {
    title: ['Byttet i en annen fane', 'Changed in another tab'],
    company: (company: string) => [
      `Du byttet firma til ${company} i en annen fane av nettleseren.`,
      `You changed company to ${company} in another tab of this browser.`,
    ],
    user: (email: string) => [
      `${email} logget inn i en annen fane av nettleseren.`,
      `${email} signed in in another tab of this browser.`,
    ],
    text: [
      'Alle faner i nettleseren har samme bruker og firma. Det du ikke har lagret her, går tapt hvis du fortsetter der.',
      'All tabs of a browser have the same user and company. What you have not saved here is lost if you continue there.',
    ],
    continueIn: (company: string) => [`Fortsett i ${company}`, `Continue in ${company}`],
    continueAs: (email: string) => [`Fortsett som ${email}`, `Continue as ${email}`],
    back: (company: string) => [`Tilbake til ${company}`, `Back to ${company}`],
  },
  sso: {
    signInWith: (name: string) => [`Logg inn med ${name}`, `Sign in with ${name}`],
    or: ['eller', 'or'],
    title: (name: string) => [`Innlogging med ${name}`, `Signing in with ${name}`],
    notLinked: (name: string) => [
      `Kontoen er ikke knyttet til ${name}. Knytter du dem sammen, kan du logge inn derfra.`,
      `The account is not linked with ${name}. If you link them, you can sign in with ${name}.`,
    ],
    linkedSince: (name: string, day: string) => [
      `Knyttet til ${name} siden ${day}. Knytningen står også om du bytter passord.`,
      `Linked with ${name} since ${day}. The link stays when you change the password.`,
    ],
    link: (name: string) => [`Knytt til ${name}`, `Link with ${name}`],
    unlink: ['Fjern knytningen', 'Remove the link'],
    reauthenticate: [
      'Du logger inn der på nytt og kommer tilbake hit. Gjenta så handlingen.',
      'Sign in there again. You return to this page, where you repeat the action.',
    ],
    outcomes: {
      SingleSignOnFailed: [
        'Innloggingen gikk ikke, eller tok for lang tid. Prøv igjen.',
        'Signing in failed or took too long. Try again.',
      ],
      SessionExpired: [
        'Du ble logget ut underveis. Logg inn, og prøv igjen.',
        'Your session expired meanwhile. Sign in, and try again.',
      ],
      IdentityNotLinked: [
        'Du har ingen konto her for denne identiteten. Be en administrator om tilgang, eller logg inn med passord og knytt dem sammen under Min konto.',
        'You have no account here for this identity. Ask an administrator for access, or sign in with your password and link the two under My account.',
      ],
      IdentityAlreadyLinked: [
        'Identiteten hører til en annen konto her.',
        'The identity belongs to another account here.',
      ],
      ProviderUnavailable: [
        'Innloggingstjenesten kan ikke nås nå. Prøv igjen senere.',
        'The sign-in service cannot be reached now. Try again later.',
      ],
      TooManyFailedLogins: [
        'Det ble for mange forsøk. Vent noen minutter.',
        'There were too many attempts. Wait a few minutes.',
      ],
    },
  },
})

export const useSignInText = defineTranslation(signInText)
