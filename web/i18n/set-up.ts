// Texts of the first-run set-up in both languages; loaded with its screen.
import { defineSection, type TranslationShape } from './define-section.ts'

const nb = {
  setUp: {
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
      keyName: 'For eksempel: kasse, lønn, rapporter.',
      scopes: 'For det første programmet som kaller. Uten en rettighet lages ingen nøkkel.',
    },
    submit: 'Sett opp',
    problems: 'Ingenting er lagret ennå. Rett feltene som er merket.',
    doneTitle: 'Dagsverk er satt opp',
    doneLead: 'Disse hemmelighetene vises bare nå. Kopier dem dit du oppbevarer slikt, og lukk siden.',
    chosenPassword: 'det du valgte',
    firstFigure: 'De første tallene: lim inn i et terminalvindu, og se dem under I dag',
    moreEndpoints: 'Alle adressene står i',
    open: 'Åpne Dagsverk',
  },
}

const en: TranslationShape<typeof nb> = {
  setUp: {
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
      scopes: 'Scopes',
    },
    hints: {
      token: 'The part after # in the set-up link.',
      company: 'Integrations send it with every request.',
      timezone: 'Decides when the company’s day begins.',
      companyPassword: 'For integrations. Leave it empty to generate one.',
      email: 'You administer the company and run the server.',
      keyName: 'For example: till, payroll, reports.',
      scopes: 'For the first integration. Without a scope no key is created.',
    },
    submit: 'Set up',
    problems: 'Nothing has been stored. Correct the marked fields.',
    doneTitle: 'Dagsverk is set up',
    doneLead: 'These secrets are shown only once. Copy them to your password manager, then close this page.',
    chosenPassword: 'the one you chose',
    firstFigure: 'The first figures: paste into a terminal, and see them on Today',
    moreEndpoints: 'All endpoints are listed in',
    open: 'Open Dagsverk',
  },
}

export const setUpText = defineSection(nb, en)
