// The texts of the set-up page and of the error pages for browsers, in both languages.
import { passwordLengthMin } from '../../auth/passwords/password-rules.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Language } from '../../errors/messages.ts'

export type FieldName =
  | 'token'
  | 'company'
  | 'timezone'
  | 'companyPassword'
  | 'email'
  | 'password'
  | 'keyName'
  | 'scopes'

export interface SetupMessages {
  readonly title: string
  readonly lead: string
  readonly parts: Readonly<Record<'company' | 'owner' | 'key', string>>
  readonly labels: Readonly<Record<FieldName, string>>
  readonly hints: Readonly<Partial<Record<FieldName | 'key', string>>>
  readonly scopes: Readonly<Record<Scope, string>>
  readonly submit: string
  readonly problems: string
  readonly done: Readonly<
    Record<
      | 'title'
      | 'lead'
      | 'company'
      | 'password'
      | 'chosen'
      | 'owner'
      | 'key'
      | 'next'
      | 'more'
      | 'signIn',
      string
    >
  >
  readonly refused: Readonly<
    Record<'done' | 'link' | 'notSetUp' | 'appNotBuilt', { title: string; help: string }>
  >
}

const en: SetupMessages = {
  title: 'Set up Dagsverk',
  lead: 'This server is not set up yet. Enter the first company and its owner; you can add more of both later.',
  parts: { company: 'Company', owner: 'Owner', key: 'API key' },
  labels: {
    token: 'Set-up code',
    company: 'Name of the company',
    timezone: 'Time zone',
    companyPassword: 'Password of the company',
    email: 'E-mail',
    password: 'Password',
    keyName: 'Name of the key',
    scopes: 'Rights',
  },
  hints: {
    token: 'The part after # in the set-up link.',
    company: 'Integrations send it with every request.',
    timezone: 'Decides when the company’s day begins.',
    companyPassword: 'For integrations. Leave it empty to generate one.',
    email: 'You administer the company and run the server.',
    password: `At least ${passwordLengthMin} characters. A few unrelated words are good.`,
    keyName: 'For example: till, payroll, reports.',
    key: 'For the first integration. Without rights no key is created.',
  },
  scopes: {
    'revenue:read': 'Read revenue',
    'revenue:write': 'Write revenue',
    'directory:read': 'Read staff, departments and projects',
    'directory:personal': 'Read addresses and birthdays of staff',
    'directory:write': 'Write staff, departments and projects',
    'material:read': 'Read material',
    'material:write': 'Register material',
    'material:approve': 'Approve material',
    'material:export': 'Fetch approved material',
    'export:undo': 'Undo what was fetched',
  },
  submit: 'Set up',
  problems: 'Nothing has been stored. Please correct:',
  done: {
    title: 'Dagsverk is set up',
    lead: 'These secrets are shown only once. Copy them to your password manager, then close this page.',
    company: 'Company',
    password: 'Password of the company',
    chosen: 'the one you chose',
    owner: 'Owner',
    key: 'API key',
    next: 'A first call',
    signIn: 'Sign in to the app',
    more: 'All endpoints are listed in',
  },
  refused: {
    done: {
      title: 'This server is set up already',
      help: 'A set-up link works once. The operator can add companies, keys and users on the command line: dagsverk company add, dagsverk key add, dagsverk user add.',
    },
    link: {
      title: 'The set-up link is not valid',
      help: 'A link works once, for 60 minutes. Restart the server and open the new link that it prints.',
    },
    notSetUp: {
      title: 'The server is not set up',
      help: 'Find the set-up link in the window or the log where the server was started, or in the file setup-link of its data folder. It works once, for 60 minutes; a restart of the server creates a new one.',
    },
    appNotBuilt: {
      title: 'The browser app is not built',
      help: 'Run npm start in a clone, which builds the app and starts the server, or create the package with npm run pack and install it. The API works without the app.',
    },
  },
}

const nb: SetupMessages = {
  title: 'Sett opp Dagsverk',
  lead: 'Denne serveren tilhører ingen ennå. Oppgi det første firmaet og eieren; flere av begge kan legges til siden.',
  parts: { company: 'Firma', owner: 'Eier', key: 'API-nøkkel' },
  labels: {
    token: 'Oppsettskode',
    company: 'Firmaets navn',
    timezone: 'Tidssone',
    companyPassword: 'Firmaets passord',
    email: 'E-post',
    password: 'Passord',
    keyName: 'Hva nøkkelen er til',
    scopes: 'Rettigheter',
  },
  hints: {
    token: 'Det som står etter # i oppsettslenken.',
    company: 'Programmer sender det med hvert kall.',
    timezone: 'Hvor firmaets dager begynner.',
    companyPassword: 'For programmer. La det stå tomt, så lages et godt.',
    email: 'Du administrerer firmaet og drifter serveren.',
    password: `Minst ${passwordLengthMin} tegn. Noen ord uten sammenheng er bra.`,
    keyName: 'For eksempel: kasse, lønn, rapporter.',
    key: 'For det første programmet som kaller. Uten en rettighet lages ingen nøkkel.',
  },
  scopes: {
    'revenue:read': 'Lese omsetning',
    'revenue:write': 'Skrive omsetning',
    'directory:read': 'Lese ansatte, avdelinger og prosjekter',
    'directory:personal': 'Lese ansattes adresser og fødselsdager',
    'directory:write': 'Skrive ansatte, avdelinger og prosjekter',
    'material:read': 'Lese materiell',
    'material:write': 'Registrere materiell',
    'material:approve': 'Godkjenne materiell',
    'material:export': 'Hente godkjent materiell',
    'export:undo': 'Angre det som er hentet',
  },
  submit: 'Sett opp',
  problems: 'Ingenting er lagret ennå. Se på dette:',
  done: {
    title: 'Dagsverk er satt opp',
    lead: 'Disse hemmelighetene vises bare nå. Kopier dem dit du oppbevarer slikt, og lukk siden.',
    company: 'Firma',
    password: 'Firmaets passord',
    chosen: 'det du valgte',
    owner: 'Eier',
    key: 'API-nøkkel',
    next: 'Et første kall',
    signIn: 'Logg inn i appen',
    more: 'Alle adressene står i',
  },
  refused: {
    done: {
      title: 'Serveren er alt satt opp',
      help: 'En oppsettslenke virker én gang. Den som drifter serveren, kan legge til firmaer, nøkler og personer på kommandolinjen: dagsverk company add, dagsverk key add, dagsverk user add.',
    },
    link: {
      title: 'Oppsettslenken er ikke gyldig',
      help: 'En lenke virker én gang og i 60 minutter, og hver start av serveren lager en ny. Start serveren på nytt, og åpne lenken den skriver.',
    },
    notSetUp: {
      title: 'Serveren er ikke satt opp',
      help: 'Finn oppsettslenken i vinduet eller loggen der serveren ble startet, eller i filen setup-link i datamappen. Den virker én gang, i 60 minutter; en ny start av serveren lager en ny.',
    },
    appNotBuilt: {
      title: 'Nettleserappen er ikke bygd',
      help: 'Kjør npm start i en klone, som bygger appen og starter serveren, eller lag pakken med npm run pack og installer den. API-et virker uten appen.',
    },
  },
}

export const setupMessages: Readonly<Record<Language, SetupMessages>> = { en, nb }
