// Texts of sign-in, invitations and password resets in both languages; loaded with their screens.
import { defineSection, type TranslationShape } from './define-section.ts'

const nb = {
  links: {
    invitation: 'Invitasjon',
    invited: (company: string, role: string) => `Du er invitert til ${company} som ${role.toLowerCase()}.`,
    invitationExpired:
      'Invitasjonen gjelder ikke lenger: hver lenke virker én gang, og i sju dager. Be den som inviterte deg, om en ny.',
    name: 'Navnet ditt',
    knownHint: 'Du har en bruker her fra før: oppgi passordet du har.',
    choosePassword: 'Nytt passord',
    passwordHint: 'Minst 15 tegn. Flere ord etter hverandre er lett å huske og vanskelig å gjette.',
    required: 'Fyll ut alle feltene.',
    join: (company: string) => `Bli med i ${company}`,
    forgotten: 'Glemt passordet?',
    forgottenHint: 'Vi sender en lenke dit, som virker i 60 minutter',
    send: 'Send lenken',
    linkSent: (email: string) =>
      `Hvis ${email} har en bruker her, kommer det en e-post om noen minutter. Se også i søppelposten.`,
    toSignIn: 'Til innloggingen',
    newPassword: 'Nytt passord',
    setPassword: 'Bytt passord',
    changed: 'Passordet er byttet, og du er logget ut overalt. Logg inn med det nye.',
    newLink: 'Få en ny lenke',
  },
  signIn: {
    title: 'Logg inn',
    company: 'Firma',
    companyHint: 'Trengs bare når du hører til flere',
    email: 'E-post',
    password: 'Passord',
    showPassword: 'Vis passordet',
    submit: 'Logg inn',
    wrong: 'E-post eller passord er feil.',
    required: 'Fyll ut e-post og passord.',
    insecureTitle: 'Innlogging krever en sikker forbindelse',
    insecureText:
      'Siden er åpnet over vanlig http. Nettleseren tar da ikke vare på innloggingen, og passordet ville gå lesbart over nettet. Åpne den sikre adressen:',
  },
  reauthentication: {
    title: 'Bekreft passordet',
    text: 'Det er mer enn fem minutter siden du sist oppga passordet.',
    wrong: 'Passordet er feil.',
    continue: 'Fortsett',
  },
  expired: {
    title: 'Du er logget ut',
    text: 'Økten er over. Det du har skrevet, er her fortsatt: logg inn igjen, og fortsett der du var.',
    email: (email: string) => `Passordet til ${email}`,
    other: 'Logg inn på nytt som en annen',
    otherTab: 'Logg inn i en ny fane',
    otherTabText: 'Kom tilbake hit når du har logget inn der.',
    continue: 'Jeg har logget inn',
    notYet: 'Du er ikke logget inn ennå.',
  },
  sso: {
    with: (name: string) => `Logg inn med ${name}`,
    or: 'eller',
    title: (name: string) => `Innlogging med ${name}`,
    notLinked: (name: string) => `Kontoen er ikke knyttet til ${name}. Knytter du dem sammen, kan du logge inn derfra.`,
    linkedSince: (name: string, day: string) =>
      `Knyttet til ${name} siden ${day}. Knytningen står også om du bytter passord.`,
    link: (name: string) => `Knytt til ${name}`,
    unlink: 'Fjern knytningen',
    reauthenticate: 'Du logger inn der på nytt og kommer tilbake hit. Gjenta så handlingen.',
    outcomes: {
      SingleSignOnFailed: 'Innloggingen gikk ikke, eller tok for lang tid. Prøv igjen.',
      SessionExpired: 'Du ble logget ut underveis. Logg inn, og prøv igjen.',
      IdentityNotLinked:
        'Du har ingen konto her for denne identiteten. Be en administrator om tilgang, eller logg inn med passord og knytt dem sammen under Min konto.',
      IdentityAlreadyLinked: 'Identiteten hører til en annen konto her.',
      ProviderUnavailable: 'Innloggingstjenesten kan ikke nås nå. Prøv igjen senere.',
      TooManyFailedLogins: 'Det ble for mange forsøk. Vent noen minutter.',
    },
  },
}

const en: TranslationShape<typeof nb> = {
  links: {
    invitation: 'Invitation',
    invited: (company, role) => `You are invited to ${company} as ${role.toLowerCase()}.`,
    invitationExpired:
      'The invitation is no longer valid: each link works once, for seven days. Ask the person who invited you for a new one.',
    name: 'Your name',
    knownHint: 'You already have an account here: enter its password.',
    choosePassword: 'New password',
    passwordHint: 'At least 15 characters. Several words in a row are easy to remember and hard to guess.',
    required: 'Fill in all the fields.',
    join: (company) => `Join ${company}`,
    forgotten: 'Forgot your password?',
    forgottenHint: 'We will send you a link, which works for 60 minutes',
    send: 'Send the link',
    linkSent: (email) =>
      `If ${email} has an account here, an e-mail arrives within a few minutes. Check your spam folder too.`,
    toSignIn: 'To the sign-in',
    newPassword: 'New password',
    setPassword: 'Change the password',
    changed: 'The password is changed, and you are signed out everywhere. Sign in with the new one.',
    newLink: 'Get another link',
  },
  signIn: {
    title: 'Sign in',
    company: 'Company',
    companyHint: 'Only needed if you belong to several',
    email: 'E-mail',
    password: 'Password',
    showPassword: 'Show the password',
    submit: 'Sign in',
    wrong: 'The e-mail or the password is wrong.',
    required: 'Fill in e-mail and password.',
    insecureTitle: 'Signing in needs a secure connection',
    insecureText:
      'This page was opened over plain http. The browser cannot keep the session then, and the password would be sent unencrypted. Open the secure address:',
  },
  reauthentication: {
    title: 'Confirm your password',
    text: 'You last confirmed your password more than five minutes ago.',
    wrong: 'The password is wrong.',
    continue: 'Continue',
  },
  expired: {
    title: 'You are signed out',
    text: 'The session has ended. What you typed is still here: sign in again, and continue where you were.',
    email: (email: string) => `The password of ${email}`,
    other: 'Sign in as somebody else',
    otherTab: 'Sign in in a new tab',
    otherTabText: 'Come back here when you have signed in there.',
    continue: 'I have signed in',
    notYet: 'You are not signed in yet.',
  },
  sso: {
    with: (name: string) => `Sign in with ${name}`,
    or: 'or',
    title: (name: string) => `Signing in with ${name}`,
    notLinked: (name: string) =>
      `The account is not linked with ${name}. If you link them, you can sign in with ${name}.`,
    linkedSince: (name: string, day: string) =>
      `Linked with ${name} since ${day}. The link stays when you change the password.`,
    link: (name: string) => `Link with ${name}`,
    unlink: 'Remove the link',
    reauthenticate: 'Sign in there again. You return to this page, where you repeat the action.',
    outcomes: {
      SingleSignOnFailed: 'Signing in failed or took too long. Try again.',
      SessionExpired: 'Your session expired meanwhile. Sign in, and try again.',
      IdentityNotLinked:
        'You have no account here for this identity. Ask an administrator for access, or sign in with your password and link the two under My account.',
      IdentityAlreadyLinked: 'The identity belongs to another account here.',
      ProviderUnavailable: 'The sign-in service cannot be reached now. Try again later.',
      TooManyFailedLogins: 'There were too many attempts. Wait a few minutes.',
    },
  },
}

export const signInText = defineSection(nb, en)
