// Texts of the settings of a company and of the status of the server in both languages.
import { defineSection, defineTranslation, type Translation } from '../../i18n/translation.ts'
import { administrationText } from '../../i18n/administration.ts'

export const settingsText = defineSection({
  settings: {
    zone: ['Tidssone', 'Time zone'],
    zoneHint: ['«I dag» og «i går» er dager i denne sonen', '“Today” and “yesterday” are days in this zone'],
    currency: ['Valuta', 'Currency'],
    currencyHint: ['Tre bokstaver, som NOK', 'Three letters, like NOK'],
    dayEndsAt: ['Dagen slutter klokken', 'The day ends at'],
    amounts: ['Beløpene er', 'Amounts are'],
    reportedNotApplied: [
      'Til opplysning for integrasjonene. Ingen datoer eller beløp endres',
      'For integrations to read. No dates or amounts are changed',
    ],
    amountChoices: {
      unstated: ['ikke oppgitt', 'not stated'],
      'with-tax': ['med merverdiavgift', 'including tax'],
      'without-tax': ['uten merverdiavgift', 'excluding tax'],
    },
    saved: ['Lagret', 'Saved'],
    switches: {
      'refuses-zones': {
        label: ['Avvis datoer med tidssone', 'Reject dates with a time zone'],
        text: [
          'En dato som sendes med sone eller forskyvning, blir avvist.',
          'A date that is sent with a time zone or offset is rejected.',
        ],
      },
      'forbids-second-record': {
        label: ['Bare én post per dag og avdeling', 'One record per day and department'],
        text: [
          'En ny post for en dag og avdeling som allerede har en, blir avvist.',
          'A second record for the same day and department is rejected.',
        ],
      },
      'requires-four-eyes': {
        label: ['Fire øyne', 'Four eyes'],
        text: [
          'Den som har registrert eller sist endret et uttak, kan ikke godkjenne det selv.',
          'The person who registered material, or was the last to change it, cannot approve it.',
        ],
      },
      'refuses-query-credentials': {
        label: ['Ingen passord eller nøkler i adressen', 'No passwords or keys in the URL'],
        text: [
          'Adresser havner i logger; også gyldige passord og nøkler i adressen blir avvist.',
          'URLs end up in logs; even valid credentials in the query string are rejected.',
        ],
      },
      'requires-known-subjects': {
        label: ['Bare kjente avdelinger, prosjekter og ansatte', 'Only known departments, projects and employees'],
        text: [
          'Et uttak med en kode som ikke finnes i registeret, blir avvist.',
          'Material with a code that is not in the directory is rejected.',
        ],
      },
    },
    factorRequired: ['Totrinnsinnlogging er påkrevd for', 'Two-step sign-in is required of'],
    factorRequiredHint: [
      'Brukere uten den må sette den opp før de kommer videre.',
      'Users without it must set it up before they can continue.',
    ],
  },
  system: {
    title: ['Drift', 'System'],
    version: ['Versjon', 'Version'],
    database: ['Database', 'Database'],
    databases: { sqlite: ['SQLite', 'SQLite'], postgres: ['PostgreSQL', 'PostgreSQL'] },
    health: ['Tilstand', 'Health'],
    healthy: ['alt er som det skal', 'all checks pass'],
    degradations: {
      'export-held': ['eksport er stanset', 'exports are suspended'],
      'durability-async': [
        'de siste endringene kan gå tapt ved et bytte av databasetjener: ingen standby er synkron',
        'a failover of the database can lose the last changes: no standby is synchronous',
      ],
      'disk-low': ['lite plass igjen på disken', 'low disk space'],
      'database-damaged': [
        'databasen er skadet: gjenopprett en sikkerhetskopi',
        'the database is damaged: restore a backup',
      ],
    },
    backup: ['Siste sikkerhetskopi', 'Last backup'],
    noBackup: ['ingen som serveren vet om', 'none that the server knows of'],
    backupMade: (moment: string, rows: string) => [`${moment}, ${rows} rader`, `${moment}, ${rows} rows`],
    makeBackup: ['Lag sikkerhetskopi nå', 'Create a backup now'],
    makingBackup: (folder: string) => [
      `Filen lagres i ${folder} på serveren, og bare serveren kan lese den. Hovednøkkelen er ikke med: ta vare på en kopi av den også.`,
      `The file is stored in ${folder} on the server, readable by the server only. It does not contain the master key: keep a copy of that as well.`,
    ],
    backupDone: (file: string) => [`${file} er skrevet og lest tilbake.`, `${file} was written and verified.`],
    mail: ['E-post', 'E-mail'],
    mailOff: ['er ikke satt opp (DAGSVERK_SMTP_URL)', 'is not set up (DAGSVERK_SMTP_URL)'],
    mailOn: (waiting: string, givenUp: string) => [
      `${waiting} venter, ${givenUp} er gitt opp`,
      `${waiting} waiting, ${givenUp} given up`,
    ],
    lastSent: (moment: string) => [`, sist sendt ${moment}`, `, last sent ${moment}`],
    limits: ['Grenser', 'Limits'],
    calls: ['Kall i minuttet for hver nøkkel', 'Calls per minute per key'],
    unlimited: ['uten grense', 'no limit'],
    listBody: ['Forespørsel med en liste', 'Request body with a list'],
    body: ['Andre forespørsler', 'Other request body'],
    inFlight: ['Alle forespørsler samtidig', 'All bodies at once'],
    address: ['URL', 'URL'],
    bundle: ['Last ned en støttepakke', 'Download a support bundle'],
    bundleText: [
      'til den som hjelper deg: oppsett og tilstand, uten hemmeligheter og uten firmaenes data.',
      'for support: configuration and health, without secrets or company data.',
    ],
  },
})

export type SettingsTexts = Translation<typeof settingsText>

export const useSettingsText = defineTranslation(settingsText, administrationText)
