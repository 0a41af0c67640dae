// Texts of the account and the second factor in both languages; loaded with their screens.
import { pluralize } from './plural.ts'
import { defineSection, defineTranslation } from './translation.ts'
import { signInText } from './sign-in.ts'

export const accountText = defineSection({
  factor: {
    title: ['Totrinnsinnlogging', 'Two-step sign-in'],
    text: [
      'En app på telefonen viser en kode som du skriver inn i tillegg til passordet. Bruk den autentiseringsappen du har, som Microsoft Authenticator, Google Authenticator eller en passordbehandler.',
      'An app on your phone shows a code, which you type in addition to your password. Use any authenticator app, such as Microsoft Authenticator, Google Authenticator or a password manager.',
    ],
    required: (company: string) => [
      `${company} krever totrinnsinnlogging av deg. Sett den opp for å gå videre.`,
      `${company} requires two-step sign-in. Set it up to continue.`,
    ],
    setUp: ['Sett opp', 'Set up'],
    scan: ['Skann QR-koden med appen.', 'Scan the QR code with the app.'],
    picture: ['QR-kode for autentiseringsappen', 'QR code for the authenticator app'],
    typeInstead: ['Eller skriv inn denne nøkkelen i appen:', 'Or type this key into the app:'],
    confirm: ['Bekreft', 'Confirm'],
    code: ['Kode fra appen', 'Code from the app'],
    codeHint: ['Seks sifre', 'Six digits'],
    codeMissing: ['Skriv koden.', 'Type the code.'],
    recoveryCode: ['Gjenopprettingskode', 'Recovery code'],
    recoveryHint: ['En av de ti kodene du tok vare på', 'One of the ten codes that you saved'],
    useRecovery: ['Jeg har ikke appen: bruk en gjenopprettingskode', 'I do not have the app: use a recovery code'],
    useApp: ['Bruk koden fra appen', 'Use the code from the app'],
    step: ['Andre trinn', 'Second step'],
    stepText: (email: string) => [
      `Passordet til ${email} er riktig. Oppgi koden også.`,
      `The password of ${email} is correct. Now enter a code.`,
    ],
    trust: ['Ikke spør om kode her de neste 30 dagene', 'Do not ask for a code here for 30 days'],
    trustHint: ['Bare på en enhet som ingen andre bruker', 'Only on a device that nobody else uses'],
    back: ['Tilbake', 'Back'],
    since: (day: string) => [`På siden ${day}.`, `On since ${day}.`],
    codesLeft: (count: number) => [
      count === 0
        ? 'Ingen gjenopprettingskoder igjen. Lag nye.'
        : `${pluralize(count, 'gjenopprettingskode', 'gjenopprettingskoder')} igjen.`,
      count === 0
        ? 'No recovery codes left. Create new ones.'
        : `${pluralize(count, 'recovery code', 'recovery codes')} left.`,
    ],
    newCodes: ['Lag nye gjenopprettingskoder', 'Create new recovery codes'],
    turnOff: ['Slå av', 'Turn off'],
    codesTitle: ['Gjenopprettingskodene dine', 'Your recovery codes'],
    codesText: [
      'De vises bare nå. Ta vare på dem et annet sted enn på telefonen: hver av dem slipper deg inn én gang når du ikke har appen.',
      'They are shown only now. Store them somewhere other than on the phone: each signs you in once if you do not have the app.',
    ],
    codesSaved: ['Jeg har tatt vare på dem', 'I have saved them'],
  },
  passkeys: {
    title: ['Passnøkler', 'Passkeys'],
    text: [
      'Logg inn med fingeravtrykk, ansikt eller PIN på enheten, uten passord og kode.',
      'Sign in with your fingerprint, face or device PIN instead of password and code.',
    ],
    create: ['Lag en passnøkkel på denne enheten', 'Create a passkey on this device'],
    signIn: ['Logg inn med passnøkkel', 'Sign in with a passkey'],
    unused: ['ikke brukt ennå', 'not used yet'],
    known: ['Enheten har allerede en passnøkkel for kontoen.', 'The device already has a passkey for the account.'],
    failed: [
      'Nettleseren kan ikke bruke passnøkler på denne adressen.',
      'The browser cannot use passkeys at this address.',
    ],
  },
  newPassword: {
    text: ['Du blir logget ut alle andre steder.', 'You will be signed out everywhere else.'],
    current: ['Nåværende passord', 'Current password'],
    hint: [
      'Minst 15 tegn. Noen ord uten sammenheng er et godt valg',
      'At least 15 characters. A few unrelated words are a good choice',
    ],
    submit: ['Bytt passord', 'Change password'],
    done: ['Passordet er byttet.', 'The password is changed.'],
  },
  sessions: {
    title: ['Her er du innlogget', 'Where you are signed in'],
    signOutThere: ['Logg ut der', 'Sign out there'],
    signOutElsewhere: ['Logg ut alle andre steder', 'Sign out everywhere else'],
    devices: ['Enheter som ikke spør om kode', 'Trusted devices that do not ask for a code'],
    devicesText: [
      'De spør igjen etter 30 dager, etter et nytt passord, og når du fjerner dem her.',
      'They ask again after 30 days, after a password change, and when you remove them here.',
    ],
    remove: ['Fjern', 'Remove'],
    current: ['Denne', 'This one'],
    unknown: ['Ukjent nettleser', 'Unknown browser'],
    browser: ['Nettleser', 'Browser'],
  },
})

export const useAccountText = defineTranslation(accountText, signInText)
