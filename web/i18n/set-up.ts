// Texts of the first-run set-up in both languages; loaded with its screen.
import { defineSection } from './define-section.ts'

export const setUpText = defineSection({
  setUp: {
    title: ['Sett opp Dagsverk', 'Set up Dagsverk'],
    lead: [
      'Denne serveren tilhører ingen ennå. Oppgi det første firmaet og eieren; flere av begge kan legges til siden.',
      'This server is not set up yet. Enter the first company and its owner; you can add more of both later.',
    ],
    parts: { company: ['Firma', 'Company'], owner: ['Eier', 'Owner'], key: ['API-nøkkel', 'API key'] },
    labels: {
      token: ['Oppsettskode', 'Set-up code'],
      company: ['Firmaets navn', 'Name of the company'],
      timezone: ['Tidssone', 'Time zone'],
      companyPassword: ['Firmaets passord', 'Password of the company'],
      email: ['E-post', 'E-mail'],
      password: ['Passord', 'Password'],
      keyName: ['Hva nøkkelen er til', 'Name of the key'],
      scopes: ['Rettigheter', 'Scopes'],
    },
    hints: {
      token: ['Det som står etter # i oppsettslenken.', 'The part after # in the set-up link.'],
      company: ['Programmer sender det med hvert kall.', 'Integrations send it with every request.'],
      timezone: ['Hvor firmaets dager begynner.', 'Decides when the company’s day begins.'],
      companyPassword: [
        'For programmer. La det stå tomt, så lages et godt.',
        'For integrations. Leave it empty to generate one.',
      ],
      email: ['Du administrerer firmaet og drifter serveren.', 'You administer the company and run the server.'],
      keyName: ['For eksempel: kasse, lønn, rapporter.', 'For example: till, payroll, reports.'],
      scopes: [
        'For det første programmet som kaller. Uten en rettighet lages ingen nøkkel.',
        'For the first integration. Without a scope no key is created.',
      ],
    },
    submit: ['Sett opp', 'Set up'],
    problems: [
      'Ingenting er lagret ennå. Rett feltene som er merket.',
      'Nothing has been stored. Correct the marked fields.',
    ],
    doneTitle: ['Dagsverk er satt opp', 'Dagsverk is set up'],
    doneLead: [
      'Disse hemmelighetene vises bare nå. Kopier dem dit du oppbevarer slikt, og lukk siden.',
      'These secrets are shown only once. Copy them to your password manager, then close this page.',
    ],
    chosenPassword: ['det du valgte', 'the one you chose'],
    firstFigure: [
      'De første tallene: lim inn i et terminalvindu, og se dem under I dag',
      'The first figures: paste into a terminal, and see them on Today',
    ],
    moreEndpoints: ['Alle adressene står i', 'All endpoints are listed in'],
    open: ['Åpne Dagsverk', 'Open Dagsverk'],
  },
})
