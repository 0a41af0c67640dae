// Texts of sign-in, invitations and password resets in both languages; loaded with their screens.
import { section, type Widened } from './define-section.ts'

const nb = {
  links: {
    invitation: 'Invitasjon',
    invited: (company: string, role: string) =>
      `Du er invitert til ${company} som ${role.toLowerCase()}.`,
    overInvitation:
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
    asked: (email: string) =>
      `Hvis ${email} har en bruker her, kommer det et brev om noen minutter. Se også i søppelposten.`,
    toSignIn: 'Til innloggingen',
    newPassword: 'Nytt passord',
    setPassword: 'Bytt passord',
    changed: 'Passordet er byttet, og du er logget ut overalt. Logg inn med det nye.',
    another: 'Få en ny lenke',
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
    plainTitle: 'Innlogging krever en sikker forbindelse',
    plainText:
      'Siden er åpnet over vanlig http. Nettleseren tar da ikke vare på innloggingen, og passordet ville gå lesbart over nettet. Åpne den sikre adressen:',
  },
  again: {
    title: 'Passordet ditt på nytt',
    text: 'Dette krever at passordet er oppgitt de siste fem minuttene.',
    wrong: 'Passordet er feil.',
    goOn: 'Fortsett',
  },
  signOn: {
    with: (name: string) => `Logg inn med ${name}`,
    or: 'eller',
    title: (name: string) => `Innlogging med ${name}`,
    notLinked: (name: string) =>
      `Kontoen er ikke knyttet til ${name}. Knytter du dem sammen, kan du logge inn derfra.`,
    linkedSince: (name: string, day: string) =>
      `Knyttet til ${name} siden ${day}. Knytningen står også om du bytter passord.`,
    link: (name: string) => `Knytt til ${name}`,
    unlink: 'Fjern knytningen',
    reauthenticate:
      'Du logger inn der på nytt, og kommer tilbake hit. Gjør det du ville gjøre, én gang til da.',
    outcomes: {
      SignOnFailed: 'Innloggingen gikk ikke, eller tok for lang tid. Prøv igjen.',
      SessionExpired: 'Du ble logget ut underveis. Logg inn, og prøv igjen.',
      IdentityUnknown:
        'Du er kjent der, men ikke her. Be en administrator om tilgang, eller logg inn med passord og knytt dem sammen under kontoen din.',
      IdentityTaken: 'Identiteten hører til en annen konto her.',
      ProviderUnavailable: 'Innloggingstjenesten kan ikke nås nå. Prøv igjen senere.',
      TooManyFailedLogins: 'Det ble for mange forsøk. Vent noen minutter.',
    },
  },
}

const en: Widened<typeof nb> = {
  links: {
    invitation: 'Invitation',
    invited: (company, role) => `You are invited to ${company} as ${role.toLowerCase()}.`,
    overInvitation:
      'The invitation is not valid any more: each link works once, and for seven days. Ask whoever invited you for a new one.',
    name: 'Your name',
    knownHint: 'You have an account here: give the password that you have.',
    choosePassword: 'New password',
    passwordHint:
      'At least 15 characters. Several words in a row are easy to keep and hard to guess.',
    required: 'Fill in all the fields.',
    join: (company) => `Join ${company}`,
    forgotten: 'Forgotten the password?',
    forgottenHint: 'We send a link there, which works for 60 minutes',
    send: 'Send the link',
    asked: (email) =>
      `If ${email} has an account here, a letter comes within some minutes. Look among the junk too.`,
    toSignIn: 'To the sign-in',
    newPassword: 'New password',
    setPassword: 'Change the password',
    changed:
      'The password is changed, and you are signed out everywhere. Sign in with the new one.',
    another: 'Get another link',
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
    plainTitle: 'Signing in needs a secure connection',
    plainText:
      'This page was opened over plain http. The browser does not keep the session then, and the password would cross the network in the clear. Open the secure address:',
  },
  again: {
    title: 'Your password again',
    text: 'This takes a password that was given within the last five minutes.',
    wrong: 'The password is wrong.',
    goOn: 'Go on',
  },
  signOn: {
    with: (name: string) => `Sign in with ${name}`,
    or: 'or',
    title: (name: string) => `Signing in with ${name}`,
    notLinked: (name: string) =>
      `The account is not linked with ${name}. Link them, and you can sign in from there.`,
    linkedSince: (name: string, day: string) =>
      `Linked with ${name} since ${day}. The link stays when you change the password.`,
    link: (name: string) => `Link with ${name}`,
    unlink: 'Remove the link',
    reauthenticate:
      'You sign in there again, and come back here. Then do what you were about to do once more.',
    outcomes: {
      SignOnFailed: 'Signing in did not work, or took too long. Try again.',
      SessionExpired: 'You were signed out on the way. Sign in, and try again.',
      IdentityUnknown:
        'You are known there, and not here. Ask an administrator for access, or sign in with your password and link the two under your account.',
      IdentityTaken: 'The identity belongs to another account here.',
      ProviderUnavailable: 'The sign-in service cannot be reached now. Try again later.',
      TooManyFailedLogins: 'There were too many attempts. Wait a few minutes.',
    },
  },
}

export const signInText = section(nb, en)
