// Texts of webhooks, rejected calls and alert rules in both languages.
import { defineSection, defineTranslation } from '../../i18n/translation.ts'
import { administrationText } from '../../i18n/administration.ts'

export const integrationText = defineSection({
  alerts: {
    title: ['Varsel', 'Alert'],
    expectedEvery: (hours: number) => [
      `forventes minst hver ${hours === 1 ? 'time' : `${hours}. time`}`,
      `expected at least every ${hours === 1 ? 'hour' : `${hours} hours`}`,
    ],
    silent: (moment: string) => [`Stille: varslet ${moment}`, `Silent: alerted ${moment}`],
    hours: ['Forventes minst hver … time', 'Expected at least every … hours'],
    hoursHint: [
      'Hører vi ikke noe, får administratorene én e-post. 0 betyr uten varsel',
      'When nothing is received, administrators get one e-mail. 0 means no alert',
    ],
    days: ['Dager godkjente linjer kan vente på eksport', 'Days that approved lines may wait for export'],
    daysHint: [
      'Deretter får administratorene en e-post. 0 betyr uten varsel',
      'After that, administrators get an e-mail. 0 means no alert',
    ],
  },
  webhooks: {
    title: ['Webhooks', 'Webhooks'],
    add: ['Legg til webhook', 'Add webhook'],
    none: ['Ingen webhooks ennå', 'No webhooks yet'],
    noneText: [
      'En webhook er en adresse som får et signert varsel når noe skjer, så ingen integrasjon trenger å spørre hvert minutt.',
      'A webhook is a URL that receives a signed event when something happens, so that no integration has to poll.',
    ],
    address: ['Adresse', 'Address'],
    addressHint: [
      'Må begynne med https. Hendelsene har antall og id-er, aldri innholdet',
      'Must begin with https. Events contain ids and counts, never record contents',
    ],
    addressMissing: ['Skriv adressen til mottakeren.', 'Enter the URL of the receiver.'],
    events: ['Hendelser', 'Events'],
    eventsHint: [
      'Velger du ingen, får den alle hendelser, også typer som kommer senere',
      'None selected means all events, including types added later',
    ],
    allEvents: ['alle hendelser', 'all events'],
    eventNames: {
      'transaction.registered': ['uttak er registrert', 'material was registered'],
      'transaction.approved': ['uttak er godkjent', 'material was approved'],
      'transaction.rejected': ['uttak er avvist', 'material was rejected'],
      'export.ready': ['linjer er klare for eksport', 'lines are ready for export'],
      'export.marked': ['linjer er bokført hos mottakeren', 'lines were booked by the receiver'],
      'export.undone': ['eksport er angret', 'an export was undone'],
      'export.stalled': ['godkjente linjer er ikke hentet', 'approved lines are not fetched'],
      'revenue.changed': ['omsetning er endret', 'revenue has changed'],
      'webhook.test': ['prøve', 'test'],
    },
    on: ['På', 'On'],
    offSince: (moment: string) => [
      `Slått av ${moment}: mottakeren svarte 410`,
      `Disabled ${moment}: the receiver replied 410`,
    ],
    columns: {
      last: ['Sist sendt', 'Last sent'],
      since: ['Lagt til', 'Added'],
      bothUntil: ['Begge hemmeligheter til', 'Both secrets until'],
      event: ['Hendelse', 'Event'],
      attempts: ['Forsøk', 'Attempts'],
    },
    nothingSent: ['ingen hendelser sendt ennå', 'no events sent yet'],
    delivered: (moment: string) => [`tatt imot ${moment}`, `delivered ${moment}`],
    waiting: ['venter på å bli sendt', 'waiting to be sent'],
    nextAttempt: (moment: string) => [`prøves igjen ${moment}`, `next attempt ${moment}`],
    givenUp: ['gitt opp', 'given up'],
    status: (status: number) => [`svarte ${status}`, `replied ${status}`],
    problems: {
      'address not allowed': ['adressen er ikke tillatt', 'the address is not allowed'],
      'no address': ['vertsnavnet har ingen IP-adresse', 'the host name has no IP address'],
      'webhook disabled': ['webhooken er slått av', 'the webhook is disabled'],
      'another master key': [
        'hemmeligheten er kryptert med en annen hovednøkkel',
        'the secret is encrypted with another master key',
      ],
      timeout: ['svarte ikke i tide', 'timed out'],
      ENOTFOUND: ['ukjent vertsnavn', 'unknown host name'],
      ECONNREFUSED: ['tar ikke imot forbindelser', 'connection refused'],
    },
    deliveries: ['Leveranser', 'Deliveries'],
    deliveriesOf: (url: string) => [`Leveranser til ${url}`, `Deliveries to ${url}`],
    noDeliveries: ['Ingenting er sendt ennå', 'Nothing sent yet'],
    noDeliveriesText: ['Send en prøve, eller vent til noe skjer.', 'Send a test, or wait until something happens.'],
    resend: ['Send igjen', 'Send again'],
    actions: {
      webhookTest: ['Send en prøve', 'Send a test'],
      webhookRotate: ['Ny hemmelighet', 'New secret'],
      webhookEnable: ['Slå på', 'Enable'],
      webhookRemove: ['Slett', 'Delete'],
    },
    actionTexts: {
      webhookTest: [
        'Mottakeren får hendelsen webhook.test om et øyeblikk. Svaret står blant leveransene.',
        'The receiver gets the event webhook.test in a moment. The response is listed under Deliveries.',
      ],
      webhookRotate: [
        'Den nye vises én gang. Begge signerer i ett døgn, så mottakeren rekker å bytte.',
        'The new secret is shown once. Events are signed with both for a day, so that the receiver can switch.',
      ],
      webhookEnable: ['Den får beskjed om det som skjer fra nå av.', 'It receives events from now on.'],
      webhookRemove: [
        'Den får ikke flere hendelser, og leveranseloggen slettes. Dette kan ikke angres.',
        'It receives no more events, and its delivery log is deleted. This cannot be undone.',
      ],
    },
    secretOf: (url: string) => [`Hemmeligheten til ${url}`, `The secret of ${url}`],
    secretShownOnce: [
      'Hemmeligheten vises bare nå. Mottakeren trenger den for å kjenne igjen signaturen.',
      'The secret is shown only now. The receiver needs it to verify signatures.',
    ],
  },
  calls: {
    title: ['Avviste kall', 'Rejected calls'],
    error: ['Feil', 'Error'],
    call: ['Kall', 'Call'],
    status: ['Svar', 'Response'],
    find: ['Forespørselens id', 'Request id'],
    none: ['Ingen kall er avvist', 'No rejected calls'],
    noneText: [
      'Her vises kall fra integrasjoner som ble avvist den siste måneden, med feilmeldingen.',
      'Calls of integrations that were rejected within the last month are listed here, with the error.',
    ],
    notFound: ['Ingen avviste kall har denne id-en', 'No rejected call has this id'],
    notFoundText: [
      'Id-en står i feilmeldingen og i X-Request-Id. Her finnes bare kall som ble avvist, den siste måneden.',
      'The id is in the error and in X-Request-Id. Only calls that were rejected within the last month are listed.',
    ],
    show: ['Vis kallet', 'Show the call'],
  },
})

export const useIntegrationText = defineTranslation(integrationText, administrationText)
