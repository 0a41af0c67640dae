// Texts of the first-run set-up in both languages; loaded with its screen.
import { defineSection, defineTranslation } from './translation.ts'
import { signInText } from './sign-in.ts'

const setUpText = defineSection({
  setUp: {
    title: ['Sett opp Dagsverk', 'Set up Dagsverk'],
    lead: [
      'Serveren er ikke satt opp ennå. Oppgi det første firmaet og eieren. Du kan legge til flere firmaer og personer senere.',
      'This server is not set up yet. Enter the first company and its owner. You can add more companies and people later.',
    ],
    parts: { company: ['Firma', 'Company'], owner: ['Eier', 'Owner'], key: ['API-nøkkel', 'API key'] },
    labels: {
      token: ['Oppsettskode', 'Set-up code'],
      company: ['Firmaets navn', 'Name of the company'],
      timezone: ['Tidssone', 'Time zone'],
      companyPassword: ['Firmaets passord', 'Password of the company'],
      email: ['E-post', 'E-mail'],
      password: ['Passord', 'Password'],
      keyName: ['Hva nøkkelen skal brukes til', 'What the key is for'],
      scopes: ['Tilganger', 'Access'],
    },
    hints: {
      token: ['Det som står etter # i oppsettslenken.', 'The part after # in the set-up link.'],
      company: ['Integrasjoner sender navnet i hvert kall.', 'Integrations send the name in every request.'],
      timezone: ['Avgjør når firmaets dag begynner.', 'Decides when the company’s day begins.'],
      companyPassword: [
        'For integrasjoner. La feltet stå tomt, så lages et sikkert passord.',
        'For integrations. Leave it empty to generate one.',
      ],
      email: ['Du administrerer firmaet og drifter serveren.', 'You administer the company and run the server.'],
      keyName: ['For eksempel: kasse, lønn, rapporter.', 'For example: till, payroll, reports.'],
      scopes: [
        'For den første integrasjonen. Uten tilganger lages ingen nøkkel.',
        'For the first integration. Without any access, no key is created.',
      ],
    },
    firstKey: ['Første integrasjon', 'First integration'],
    submit: ['Sett opp', 'Set up'],
    problems: [
      'Ingenting er lagret ennå. Rett feltene som er merket.',
      'Nothing has been stored. Correct the marked fields.',
    ],
    doneTitle: ['Dagsverk er satt opp', 'Dagsverk is set up'],
    doneLead: [
      'Passord og nøkkel vises bare nå. Lagre dem i en passordbehandler før du går videre.',
      'Password and key are shown only now. Save them in a password manager before you continue.',
    ],
    chosenPassword: ['det du valgte', 'the one you chose'],
    firstFigure: [
      'De første tallene: lim dette inn i et terminalvindu, og se dem under I dag',
      'The first figures: paste this into a terminal, and see them under Today',
    ],
    moreEndpoints: ['Alle adressene står i', 'All endpoints are listed in'],
    open: ['Åpne Dagsverk', 'Open Dagsverk'],
  },
})

export const useSetUpText = defineTranslation(setUpText, signInText)
