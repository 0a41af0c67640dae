// Texts of the guides in both languages; loaded with the help screen.
import { defineSection, defineTranslation } from '../../i18n/translation.ts'

const helpText = defineSection({
  guides: {
    guides: ['Slik gjør du det', 'How to'],
    open: (screen: string) => [`Åpne ${screen}`, `Open ${screen}`],
    steps: {
      approving: {
        title: ['Godkjenne uttak', 'Approve material'],
        steps: [
          [
            'Avvikene står øverst: uten prosjekt, uten pris, mulig dublett, uvanlig stort antall eller fram i tid. Åpne en linje for å se historikken og de andre linjene på prosjektet, og avgjør den der.',
            'Merk det som er riktig, med klikk, x eller mellomrom. Antall og sum står nederst. Vil du ha med også det du ikke ser, trykker du «Merk alle … uten avvik» eller «Merk alle … som passer filteret».',
            'Godkjenn, eller avvis med en grunn. Den som registrerte, ser grunnen og kan rette og sende på nytt.',
            'Angre rett etterpå med u. Senere trekker du godkjenningen fra fanen Godkjent, helt til linjen er eksportert.',
            'Har noen andre avgjort en linje først, står det hvem og når. De andre linjene er avgjort.',
          ],
          [
            'Exceptions come first: no project, no price, a duplicate, an unusually large quantity, or a future date. Open a line to see its history and other lines of the project, and decide on it there.',
            'Select the correct lines by click, x or space. Count and sum are shown at the bottom. To include lines that are not in view, press “Select all … without exceptions” or “Select all … that match the filter”.',
            'Approve, or reject with a reason. The person who registered it sees the reason, and can correct and resubmit.',
            'Undo at once with u. Later, withdraw the approval in the Approved tab, until the line is exported.',
            'If somebody else has already decided on a line, you see who and when. The other lines are decided.',
          ],
        ],
      },
      registering: {
        title: ['Registrere uttak', 'Register material'],
        steps: [
          [
            'Velg varen, eller skriv hva det er. Skriv antallet; minus foran er en retur.',
            'Prosjekt, avdeling og dato blir stående til neste linje.',
            'Uten nett blir linjen liggende på telefonen og sendes når nettet er tilbake.',
            'Blir en linje avvist, står grunnen under Mine uttak. Rett den, og send på nytt.',
          ],
          [
            'Choose the item, or type it. Enter the quantity; a negative quantity is a return.',
            'Project, department and date stay for the next line.',
            'Offline, the line is stored on the phone and sent when you are online.',
            'When a line is rejected, the reason is shown under My material. Correct it, and send it again.',
          ],
        ],
      },
      revenue: {
        title: ['Lese og rette omsetning', 'Read and correct revenue'],
        steps: [
          [
            'Utvikling viser avdelingene per dag, uke eller måned, sammenlignet med i fjor, som diagram eller tabell.',
            'Under Dager retter du tallene der de står: Enter åpner en celle, Tab går til neste. Et utklipp fra et regneark limes inn i cellen øverst til venstre.',
            'Historikken til en celle viser hvem som satte hva, og når. Gjenopprett setter beløpet tilbake.',
            'Dager som mangler, ukjente koder og dager med doble tall er samlet under Må ryddes.',
          ],
          [
            'Trend shows the departments by day, week or month, compared with last year, as a chart or a table.',
            'Under Days you edit figures in place: Enter opens a cell, Tab goes to the next. Paste a block from a spreadsheet into its top left cell.',
            'The history of a cell shows who set what, and when. Restore sets the amount back.',
            'Missing days, unknown codes and days with duplicate figures are listed under Data quality.',
          ],
        ],
      },
      exporting: {
        title: ['Følge eksporten', 'Follow exports'],
        steps: [
          [
            'Klart, Hentes nå, Avvist av mottaker og Eksportert viser hvor alt er. Ingenting går av listen før mottakeren har meldt det bokført.',
            'Åpne en linje for hele historien, fra den ble registrert til den ble bokført.',
            'Under Avstemming legger du inn mottakerens liste, og ser hva begge har, hva bare dere har, og hva bare de har.',
            'En administrator kan angre en eksport. Først vises hva det gjelder, og hva som må fjernes hos mottakeren.',
          ],
          [
            'Ready, Being fetched, Rejected by receiver and Exported show where everything is. A line stays listed until the receiver has reported it as booked.',
            'Open a line to see its history, from registration to export.',
            'Under Reconciliation you upload the list of the receiver, and see what both have, what only you have, and what only they have.',
            'An administrator can undo an export. A preview shows what it affects, and what must be removed at the receiver.',
          ],
        ],
      },
      importing: {
        title: ['Importere fra en fil', 'Import from a file'],
        steps: [
          [
            'Velg en fil, eller lim inn fra et regneark. Mal å fylle ut ligger samme sted.',
            'Se over hva kolonnene betyr, og prøv uten å lagre: nye, endrede og feil telles opp.',
            'Importer de gyldige radene. Last ned radene med feil, rett dem og importer dem igjen.',
            'En import kan angres i 30 dager, der ingen har endret noe siden.',
          ],
          [
            'Choose a file, or paste from a spreadsheet. You can also download a template there.',
            'Check the column mapping, and do a dry run: it counts new, changed and invalid rows.',
            'Import the valid rows. Download the invalid ones, correct them, and import them.',
            'An import can be undone for 30 days, for records that nobody has changed since.',
          ],
        ],
      },
      connecting: {
        title: ['Koble til en integrasjon', 'Connect an integration'],
        steps: [
          [
            'Lag en nøkkel under Administrasjon, med bare de tilgangene den trenger. Den vises én gang.',
            'Prøv kallene i Utforsk API, og ta med koden derfra.',
            'Når integrasjonen sist lyktes, og hva som sist ble avvist og hvorfor, står ved nøkkelen. Et avvist kall finnes igjen med forespørsels-id-en.',
            'Be om varsel på e-post når en integrasjon blir stille.',
          ],
          [
            'Create a key under Administration, with only the access it needs. It is shown once.',
            'Try the calls in Explore API, and copy the code example.',
            'The key shows when the integration last succeeded, and its last rejected call with the reason. Find a rejected call by its request id.',
            'Set up an e-mail alert for an integration that falls silent.',
          ],
        ],
      },
      proving: {
        title: ['Vise hvem som gjorde hva', 'Show who did what'],
        steps: [
          [
            'Revisjonen viser hver handling: hvem, når og på hva. Hver oppføring har en kontrollsum av den forrige, så det oppdages om en blir fjernet.',
            'Hva en linje eller en celle var før, står i panelet når du åpner den.',
          ],
          [
            'The audit shows every action: who, when, and on what. Each entry contains a hash of the previous one, so that removing one is detected.',
            'Earlier versions of a line or cell are shown when you open it.',
          ],
        ],
      },
    },
    excel: {
      title: ['Koble til Excel og Power BI', 'Connect Excel and Power BI'],
      text: ['Begge leser tallene rett fra denne adressen:', 'Both read the data directly from this address:'],
      steps: [
        [
          'Excel: Data, Hent data, Fra andre kilder, Fra OData-feed. Power BI: Hent data, OData-feed.',
          'Lim inn adressen.',
          'Velg Grunnleggende, med firmaets navn og passord, eller Web-API med en nøkkel som bare leser.',
          'Velg tabellene, og filtrer i redigeringsvinduet: da gjør serveren jobben.',
        ],
        [
          'Excel: Data, Get Data, From Other Sources, From OData Feed. Power BI: Get data, OData feed.',
          'Paste the address.',
          'Choose Basic, with the name and password of the company, or Web API with a key that only reads.',
          'Choose the tables, and filter in the editor: then the server does the work.',
        ],
      ],
      formula: ['Med nøkkel, som formel i Power Query:', 'With a key, as a Power Query formula:'],
    },
    developers: ['For utviklere', 'For developers'],
    accessibility: {
      title: ['Tilgjengelighet', 'Accessibility'],
      text: [
        'Skjermene er laget etter WCAG 2.2 AA og prøves mot kravene ved hver endring: på norsk og engelsk, lyst og mørkt, på skjerm og telefon, med tastatur alene. Diagrammer finnes også som tabell. API-referansen på /docs er laget av andre og oppfyller ikke kravene; bruk Utforsk API i stedet.',
        'The screens are built for WCAG 2.2 AA and tested at every change: in Norwegian and English, in light and dark, on desktop and phone, and by keyboard. Charts are also available as tables. The API reference at /docs is a third-party viewer that does not meet WCAG; Explore API is an alternative.',
      ],
      contact: [
        'Er det noe du ikke får brukt? Si fra til en administrator i firmaet.',
        'Is there anything you cannot use? Tell an administrator of the company.',
      ],
    },
  },
})

export const useHelpText = defineTranslation(helpText)
