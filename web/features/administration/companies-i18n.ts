// Texts of the companies screen in both languages; loaded with it.
import { defineSection } from '../../i18n/define-section.ts'

const nb = {
  title: 'Firmaer',
  add: 'Nytt firma',
  here: 'logget inn her',
  facts: (people: number, credentials: number) =>
    `${people === 1 ? '1 person' : `${people} personer`} · ${
      credentials === 1 ? '1 passord eller nøkkel' : `${credentials} passord og nøkler`
    }`,
  since: (moment: string) => `siden ${moment}`,
  closedSince: (moment: string) => `stengt ${moment}`,
  close: 'Steng',
  open: 'Åpne igjen',
  closed: (name: string) => `${name} er stengt.`,
  opened: (name: string) => `${name} er åpnet igjen.`,
  closeTitle: (name: string) => `Stenge ${name}?`,
  closeText:
    'Ingen kan logge inn, og passord og nøkler avvises med en gang. Ingenting slettes, og firmaet kan åpnes igjen.',
  confirm: (name: string) => `Skriv ${name} for å bekrefte`,
  notTheName: 'Det er ikke navnet på firmaet.',
  name: 'Navn',
  nameHint: 'Integrasjoner bruker navnet for å autentisere seg, så det kan ikke endres siden.',
  nameMissing: 'Skriv navnet på firmaet.',
  email: 'E-post til den første administratoren',
  emailByMail: 'Får en invitasjon på e-post.',
  emailByLink: 'Serveren sender ikke e-post: du får en lenke å gi videre.',
  emailMissing: 'Skriv en e-postadresse.',
  password: 'Passord for integrasjoner',
  passwordHint: 'La feltet stå tomt, så lages et godt passord. Et eget må ha minst 15 tegn.',
  make: 'Lag firmaet',
  made: (name: string) => `${name} er laget`,
  madeText: 'Det som står her, vises bare nå.',
  kept: 'Jeg har tatt vare på det',
  madePassword: 'Passordet til integrasjonene',
  madeLink: (email: string) => `Lenken til ${email}: gjelder én gang, i sju dager`,
  sent: (email: string) => `Invitasjonen er på vei til ${email}.`,
}

type CompanyTexts = typeof nb

const en: CompanyTexts = {
  title: 'Companies',
  add: 'New company',
  here: 'signed in here',
  facts: (people, credentials) =>
    `${people === 1 ? '1 person' : `${people} people`} · ${
      credentials === 1 ? '1 password or key' : `${credentials} passwords and keys`
    }`,
  since: (moment) => `since ${moment}`,
  closedSince: (moment) => `closed ${moment}`,
  close: 'Close',
  open: 'Open again',
  closed: (name) => `${name} is closed.`,
  opened: (name) => `${name} is open again.`,
  closeTitle: (name) => `Close ${name}?`,
  closeText:
    'Nobody can sign in, and passwords and keys are rejected at once. Nothing is deleted, and the company can be reopened.',
  confirm: (name) => `Type ${name} to confirm`,
  notTheName: 'That is not the name of the company.',
  name: 'Name',
  nameHint: 'Integrations use the name to authenticate, so it cannot be changed later.',
  nameMissing: 'Enter the name of the company.',
  email: 'E-mail of the first administrator',
  emailByMail: 'Gets an invitation by e-mail.',
  emailByLink: 'The server sends no e-mail: you get a link to pass on.',
  emailMissing: 'Enter an e-mail address.',
  password: 'Password for integrations',
  passwordHint: 'Leave it empty to generate one. Your own must have at least 15 characters.',
  make: 'Create the company',
  made: (name) => `${name} is created`,
  madeText: 'These secrets are shown only now.',
  kept: 'I have saved it',
  madePassword: 'Password for integrations',
  madeLink: (email) => `Link for ${email}: works once, for seven days`,
  sent: (email) => `The invitation is on its way to ${email}.`,
}

export const companyText = defineSection({ companies: nb }, { companies: en })
