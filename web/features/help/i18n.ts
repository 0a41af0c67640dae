// Texts of the guides in both languages; loaded with the help screen.
import { useText } from '../../i18n/translation.tsx'

const nb = {
  guides: 'Slik gjør du det',
  steps: {
    approving: {
      title: 'Godkjenne uttak',
      open: 'Åpne Til godkjenning',
      steps: [
        'Avvikene står øverst: uten prosjekt, uten pris, lik en annen, uvanlig mye eller fram i tid. Åpne en linje for å se hva som er sagt om den, og hva annet som står på prosjektet.',
        'Merk det som er riktig, med klikk, x eller mellomrom. Antall og sum står nederst. Vil du ha med også det du ikke ser, trykker du «Merk alle som passer filteret».',
        'Godkjenn, eller avvis med en grunn. Den som registrerte, ser grunnen og kan rette og sende på nytt.',
        'Angre rett etterpå med u. Senere trekker du godkjenningen fra fanen Godkjent, helt til linjen er eksportert.',
        'Kom noen deg i forkjøpet, står det hvem og når. Resten er gjort.',
      ],
    },
    registering: {
      title: 'Registrere uttak',
      open: 'Åpne Uttak',
      steps: [
        'Velg varen, eller skriv hva det er. Skriv antallet; minus foran er en retur.',
        'Prosjekt, avdeling og dato blir stående til neste linje.',
        'Uten nett blir linjen liggende på telefonen og sendes når nettet er tilbake.',
        'Blir en linje avvist, står grunnen under Mine uttak. Rett den, og send på nytt.',
      ],
    },
    revenue: {
      title: 'Lese og rette omsetning',
      open: 'Åpne Omsetning',
      steps: [
        'Utvikling viser avdelingene per dag, uke eller måned, med fjoråret ved siden av. Tabellen med de samme tallene er ett trykk unna.',
        'Under Dager retter du tallene der de står: Enter åpner en celle, Tab går til neste. Et utklipp fra et regneark limes inn i cellen øverst til venstre.',
        'Historikken til en celle viser hvem som satte hva, og når. Gjenopprett setter beløpet tilbake.',
        'Dager som mangler, koder ingen kjenner og celler med flere poster er samlet under Å rydde.',
      ],
    },
    exporting: {
      title: 'Følge det som er på vei ut',
      open: 'Åpne Eksport',
      steps: [
        'Klart, Holdt, Meldt som feil og Eksportert viser hvor alt er. Ingenting går av lista før mottakeren har meldt det inntatt.',
        'Åpne en linje for hele historien, fra den ble registrert til den ble tatt inn.',
        'Under Avstemming legger du inn mottakerens liste, og ser hva begge har, hva bare dere har, og hva bare de har.',
        'En administrator kan angre det som aldri skulle ut. Først vises hva det gjelder, og hva som må fjernes hos mottakeren.',
      ],
    },
    importing: {
      title: 'Importere fra en fil',
      open: 'Åpne Import',
      steps: [
        'Velg en fil, eller lim inn fra et regneark. Mal å fylle ut ligger samme sted.',
        'Se over hva kolonnene betyr, og prøv uten å lagre: nye, endrede og feil telles opp.',
        'Importer de som er gode. Radene med feil lastes ned, rettes og importeres igjen.',
        'En import kan angres i 30 dager, der ingen har endret noe siden.',
      ],
    },
    connecting: {
      title: 'Koble til en integrasjon',
      open: 'Åpne Administrasjon',
      steps: [
        'Lag en nøkkel under Administrasjon, med bare de rettighetene den trenger. Den vises én gang.',
        'Prøv kallene i Utforsk API, og ta med koden derfra.',
        'Når integrasjonen sist lyktes, og hva som sist ble avvist og hvorfor, står ved nøkkelen. Et avvist kall finnes igjen med forespørsels-id-en.',
        'Be om varsel på e-post når en integrasjon blir stille.',
      ],
    },
    proving: {
      title: 'Vise hvem som gjorde hva',
      open: 'Åpne Revisjon',
      steps: [
        'Revisjonen viser hver handling: hvem, når og på hva. Hver oppføring er kjedet til den forrige, så ingenting kan tas bort uten at det synes.',
        'Hva en linje eller en celle var før, står i panelet når du åpner den.',
      ],
    },
  },
  excel: {
    title: 'Koble til Excel og Power BI',
    text: 'Begge leser tallene rett fra denne adressen:',
    steps: [
      'Excel: Data, Hent data, Fra andre kilder, Fra OData-feed. Power BI: Hent data, OData-feed.',
      'Lim inn adressen.',
      'Velg Grunnleggende, med firmaets navn og passord, eller Web-API med en nøkkel som bare leser.',
      'Velg tabellene, og filtrer i redigeringsvinduet: da gjør serveren jobben.',
    ],
    formula: 'Med nøkkel, som formel i Power Query:',
  },
  developers: 'For utviklere',
  accessibility: {
    title: 'Tilgjengelighet',
    text: 'Skjermene er laget etter WCAG 2.2 AA og prøves mot kravene ved hver endring: på norsk og engelsk, lyst og mørkt, på skjerm og telefon, med tastatur alene. Diagrammer finnes også som tabell. API-referansen på /docs er laget av andre og når ikke opp; Utforsk API gjør det samme.',
    contact: 'Er det noe du ikke får brukt? Si fra til en administrator i firmaet.',
  },
}

type HelpTexts = typeof nb

const en: HelpTexts = {
  guides: 'How to',
  steps: {
    approving: {
      title: 'Approve material',
      open: 'Open To approve',
      steps: [
        'Exceptions stand first: no project, no price, the same twice, unusually much, or a day to come. Open a line to see what was said of it, and what else is on the project.',
        'Tick what is right, by click, x or space. Count and sum stand at the bottom. To take along what you do not see, press “Tick all that match the filter”.',
        'Approve, or reject with a reason. Whoever registered it sees the reason, and can correct and send again.',
        'Undo right afterwards with u. Later you withdraw the approval from the tab Approved, until the line is exported.',
        'Where somebody was there before you, it says who and when. The rest is done.',
      ],
    },
    registering: {
      title: 'Register material',
      open: 'Open Material',
      steps: [
        'Choose the item, or write what it is. Write the quantity; a minus in front is a return.',
        'Project, department and date stay for the next line.',
        'Without a net the line stays on the phone, and is sent when the net is back.',
        'When a line is rejected, the reason stands under My material. Correct it, and send it again.',
      ],
    },
    revenue: {
      title: 'Read and correct revenue',
      open: 'Open Revenue',
      steps: [
        'Development shows the departments by day, week or month, with last year beside it. The table of the same figures is one press away.',
        'Under Days you correct figures where they stand: Enter opens a cell, Tab goes to the next. What you copy from a spreadsheet is pasted into the cell at the top left.',
        'The history of a cell shows who set what, and when. Restore sets the amount back.',
        'Missing days, codes that nobody knows and cells with several records are gathered under To tidy up.',
      ],
    },
    exporting: {
      title: 'Follow what is on its way out',
      open: 'Open Export',
      steps: [
        'Ready, Held, Reported as failed and Exported show where everything is. Nothing leaves the list before the receiver has reported it as taken in.',
        'Open a line for its whole story, from when it was registered to when it was taken in.',
        'Under Reconciliation you give the list of the receiver, and see what both have, what only you have, and what only they have.',
        'An administrator can undo what should never have gone out. It shows first what that comes to, and what has to be removed at the receiver.',
      ],
    },
    importing: {
      title: 'Import from a file',
      open: 'Open Import',
      steps: [
        'Choose a file, or paste from a spreadsheet. A template to fill in is in the same place.',
        'Look over what the columns mean, and try without storing: what is new, changed and wrong is counted.',
        'Import those that are good. The wrong rows are downloaded, corrected and imported again.',
        'An import can be undone for 30 days, where nobody has changed anything since.',
      ],
    },
    connecting: {
      title: 'Connect an integration',
      open: 'Open Administration',
      steps: [
        'Make a key under Administration, with only the rights that it needs. It is shown once.',
        'Try the calls in Explore API, and take the code from there.',
        'When the integration last succeeded, and what was last refused and why, stands beside the key. A refused call is found by its request id.',
        'Ask for a letter when an integration falls silent.',
      ],
    },
    proving: {
      title: 'Show who did what',
      open: 'Open Audit',
      steps: [
        'The audit shows each act: who, when, and on what. Each entry is chained to the one before, so nothing can be taken away without it being seen.',
        'What a line or a cell was before stands in its panel when you open it.',
      ],
    },
  },
  excel: {
    title: 'Connect Excel and Power BI',
    text: 'Both read the figures straight from this address:',
    steps: [
      'Excel: Data, Get Data, From Other Sources, From OData Feed. Power BI: Get data, OData feed.',
      'Paste the address.',
      'Choose Basic, with the name and password of the company, or Web API with a key that only reads.',
      'Choose the tables, and filter in the editor: then the server does the work.',
    ],
    formula: 'With a key, as a formula of Power Query:',
  },
  developers: 'For developers',
  accessibility: {
    title: 'Accessibility',
    text: 'The screens are made to WCAG 2.2 AA and tried against it at every change: in Norwegian and English, light and dark, on desk and phone, with the keyboard alone. Charts are there as tables too. The API reference at /docs is made by others and falls short; Explore API does the same.',
    contact: 'Is there anything you cannot use? Tell an administrator of the company.',
  },
}

export function useHelpText(): HelpTexts {
  return useText().language === 'nb' ? nb : en
}
