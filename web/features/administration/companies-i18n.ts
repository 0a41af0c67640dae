// Texts of the companies screen in both languages; loaded with it.
import { defineSection, defineTranslation } from '../../i18n/translation.ts'
import { administrationText } from '../../i18n/administration.ts'
import { settingsText } from './settings-i18n.ts'
import { signInText } from '../../i18n/sign-in.ts'

export const companyText = defineSection({
  companies: {
    title: ['Firmaer', 'Companies'],
    add: ['Nytt firma', 'New company'],
    here: ['logget inn her', 'signed in here'],
    credentials: ['Passord og nøkler', 'Passwords and keys'],
    closedSince: (moment: string) => [`stengt ${moment}`, `closed ${moment}`],
    close: ['Steng', 'Close'],
    open: ['Åpne igjen', 'Open again'],
    closed: (name: string) => [`${name} er stengt.`, `${name} is closed.`],
    opened: (name: string) => [`${name} er åpnet igjen.`, `${name} is open again.`],
    closeTitle: (name: string) => [`Stenge ${name}?`, `Close ${name}?`],
    closeText: [
      'Ingen kan logge inn, og passord og nøkler avvises med en gang. Ingenting slettes, og firmaet kan åpnes igjen.',
      'Nobody can sign in, and passwords and keys are rejected at once. Nothing is deleted, and the company can be reopened.',
    ],
    confirm: (name: string) => [`Skriv ${name} for å bekrefte`, `Type ${name} to confirm`],
    notTheName: ['Det er ikke navnet på firmaet.', 'That is not the name of the company.'],
    nameHint: [
      'Integrasjoner logger inn med navnet, så det kan ikke endres senere.',
      'Integrations sign in with the name, so it cannot be changed later.',
    ],
    nameMissing: ['Skriv navnet på firmaet.', 'Enter the name of the company.'],
    email: ['E-post til den første administratoren', 'E-mail of the first administrator'],
    emailByMail: ['Får en invitasjon på e-post.', 'Gets an invitation by e-mail.'],
    emailByLink: [
      'Serveren sender ikke e-post: du får en lenke å gi videre.',
      'The server sends no e-mail: you get a link to pass on.',
    ],
    password: ['Passord for integrasjoner', 'Password for integrations'],
    passwordHint: [
      'La feltet stå tomt, så lages et sikkert passord. Ditt eget må ha minst 15 tegn.',
      'Leave it empty to generate one. Your own must have at least 15 characters.',
    ],
    make: ['Opprett firmaet', 'Create the company'],
    made: (name: string) => [`${name} er opprettet`, `${name} is created`],
    madeText: ['Det som står her, vises bare nå.', 'These secrets are shown only now.'],
    kept: ['Jeg har tatt vare på det', 'I have saved it'],
    madePassword: ['Passordet til integrasjonene', 'Password for integrations'],
    madeLink: (email: string) => [
      `Lenken til ${email}: gjelder én gang, i sju dager`,
      `Link for ${email}: works once, for seven days`,
    ],
  },
})

export const useCompanyText = defineTranslation(companyText, administrationText, settingsText, signInText)
