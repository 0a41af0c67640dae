// Texts of the account and the second factor in both languages; loaded with their screens.
import { pluralize } from './plural.ts'
import { defineSection, type TranslationShape } from './define-section.ts'

const nb = {
  factor: {
    title: 'Totrinnsinnlogging',
    text: 'En app på telefonen viser en kode som du skriver inn i tillegg til passordet. Bruk den autentiseringsappen du har, som Microsoft Authenticator, Google Authenticator eller en passordbehandler.',
    required: (company: string) => `${company} krever totrinnsinnlogging av deg. Sett den opp for å gå videre.`,
    setUp: 'Sett opp',
    scan: 'Skann bildet med appen.',
    picture: 'QR-kode for autentiseringsappen',
    typeInstead: 'Eller skriv inn denne nøkkelen i appen:',
    confirm: 'Bekreft',
    code: 'Kode fra appen',
    codeHint: 'Seks sifre',
    codeMissing: 'Skriv koden.',
    recoveryCode: 'Gjenopprettingskode',
    recoveryHint: 'En av de ti kodene du tok vare på',
    useRecovery: 'Jeg har ikke appen: bruk en gjenopprettingskode',
    useApp: 'Bruk koden fra appen',
    step: 'Andre trinn',
    stepText: (email: string) => `Passordet til ${email} er riktig. Nå trengs en kode.`,
    trust: 'Ikke spør om kode her de neste 30 dagene',
    trustHint: 'Bare på en enhet som ingen andre bruker',
    back: 'Tilbake',
    since: (day: string) => `På siden ${day}.`,
    codesLeft: (count: number) =>
      count === 0
        ? 'Ingen gjenopprettingskoder igjen. Lag nye.'
        : `${pluralize(count, 'gjenopprettingskode', 'gjenopprettingskoder')} igjen.`,
    newCodes: 'Lag nye gjenopprettingskoder',
    turnOff: 'Slå av',
    codesTitle: 'Gjenopprettingskodene dine',
    codesText:
      'De vises bare nå. Ta vare på dem et annet sted enn på telefonen: hver av dem slipper deg inn én gang når du ikke har appen.',
    codesSaved: 'Jeg har tatt vare på dem',
  },
  passkeys: {
    title: 'Passnøkler',
    text: 'Logg inn med fingeravtrykk, ansikt eller PIN på enheten, uten passord og kode.',
    create: 'Lag en passnøkkel på denne enheten',
    signIn: 'Logg inn med passnøkkel',
    unused: (since: string) => `fra ${since}, ikke brukt ennå`,
  },
  newPassword: {
    title: 'Nytt passord',
    text: 'Alle andre steder der du er innlogget, blir logget ut.',
    current: 'Passordet du har',
    next: 'Nytt passord',
    hint: 'Minst 15 tegn; noen ord uten sammenheng er bra',
    submit: 'Bytt passord',
    done: 'Passordet er byttet.',
  },
  sessions: {
    title: 'Her er du innlogget',
    signOutThere: 'Logg ut der',
    signOutElsewhere: 'Logg ut alle andre steder',
    devices: 'Enheter som ikke spør om kode',
    devicesText: 'De spør igjen etter 30 dager, etter et nytt passord, og når du fjerner dem her.',
    remove: 'Fjern',
    current: 'Denne',
    unknown: 'Ukjent nettleser',
    lastUsed: (since: string, lastUsed: string) => `fra ${since}, sist brukt ${lastUsed}`,
  },
}

const en: TranslationShape<typeof nb> = {
  factor: {
    title: 'Two-step sign-in',
    text: 'An app on your phone shows a code, which you type in addition to your password. Use any authenticator app, such as Microsoft Authenticator, Google Authenticator or a password manager.',
    required: (company: string) => `${company} requires two-step sign-in. Set it up to continue.`,
    setUp: 'Set up',
    scan: 'Scan the QR code with the app.',
    picture: 'QR code for the authenticator app',
    typeInstead: 'Or type this key into the app:',
    confirm: 'Confirm',
    code: 'Code from the app',
    codeHint: 'Six digits',
    codeMissing: 'Type the code.',
    recoveryCode: 'Recovery code',
    recoveryHint: 'One of the ten codes that you saved',
    useRecovery: 'I do not have the app: use a recovery code',
    useApp: 'Use the code from the app',
    step: 'Second step',
    stepText: (email: string) => `The password of ${email} is correct. Now enter a code.`,
    trust: 'Do not ask for a code here for 30 days',
    trustHint: 'Only on a device that nobody else uses',
    back: 'Back',
    since: (day: string) => `On since ${day}.`,
    codesLeft: (count: number) =>
      count === 0
        ? 'No recovery codes left. Create new ones.'
        : `${pluralize(count, 'recovery code', 'recovery codes')} left.`,
    newCodes: 'Create new recovery codes',
    turnOff: 'Turn off',
    codesTitle: 'Your recovery codes',
    codesText:
      'They are shown only now. Store them somewhere other than on the phone: each signs you in once if you do not have the app.',
    codesSaved: 'I have saved them',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Sign in with your fingerprint, face or device PIN instead of password and code.',
    create: 'Create a passkey on this device',
    signIn: 'Sign in with a passkey',
    unused: (since: string) => `since ${since}, not used yet`,
  },
  newPassword: {
    title: 'New password',
    text: 'You will be signed out everywhere else.',
    current: 'Current password',
    next: 'New password',
    hint: 'At least 15 characters; a few unrelated words do well',
    submit: 'Change password',
    done: 'The password is changed.',
  },
  sessions: {
    title: 'Where you are signed in',
    signOutThere: 'Sign out there',
    signOutElsewhere: 'Sign out everywhere else',
    devices: 'Trusted devices that do not ask for a code',
    devicesText: 'They ask again after 30 days, after a password change, and when you remove them here.',
    remove: 'Remove',
    current: 'This one',
    unknown: 'Unknown browser',
    lastUsed: (since: string, lastUsed: string) => `since ${since}, last used ${lastUsed}`,
  },
}

export const accountText = defineSection(nb, en)
