// Texts of export history and reconciliation in both languages; loaded with their screen.
import { pluralize } from '../../i18n/plural.ts'
import { defineSection, defineTranslation } from '../../i18n/translation.ts'
import { materialFields } from '../../i18n/material-fields.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { exportText } from '../../i18n/export.ts'

export const exportDetailsText = defineSection({
  exportDetails: {
    views: {
      label: ['Vis', 'View'],
      ko: ['Kø', 'Queue'],
      historikk: ['Historikk', 'History'],
      ventetid: ['Ventetid', 'Waiting times'],
      avstemming: ['Avstemming', 'Reconciliation'],
    },
    overdue: (count: string, sum: string, destination: string | null, since: string) => [
      `${pluralize(count, 'linje', 'linjer')}${destination === null ? '' : ` til ${destination}`}, til sammen ${sum}, er godkjent og ikke eksportert etter tre dager. Den eldste har ventet siden ${since}.`,
      `${pluralize(count, 'line', 'lines')}${destination === null ? '' : ` for ${destination}`}, ${sum} in all, have been approved for three days and are not exported. The oldest has waited since ${since}.`,
    ],
    lateText: [
      'Sjekk om mottakerens jobb går, og om linjene er avvist.',
      'Check whether the receiver’s job is running, and whether lines were rejected.',
    ],
    ofCompany: [
      'Uthentinger og meldinger gjelder hele firmaet. Du ser linjene i dine avdelinger.',
      'Retrievals and reports are those of the whole company. You see the lines of your departments.',
    ],
    retrieval: (id: number) => [`Uthenting ${id}`, `Retrieval ${id}`],
    kinds: {
      Original: ['Original', 'Original'],
      Reversering: ['Reversering', 'Reversal'],
      Erstatning: ['Erstatning', 'Replacement'],
    },
    corrections: ['Rettelser', 'Corrections'],
    correctionsText: [
      'Originalen og linjene som retter den. En reversering opphever den forrige linjen.',
      'The original and the lines that correct it. A reversal cancels the previous line.',
    ],
    reverses: (id: number) => [`reverserer ${id}`, `reverses ${id}`],
    replaces: (id: number) => [`erstatter ${id}`, `replaces ${id}`],
    states: {
      ready: ['Klart', 'Ready'],
      exported: ['Eksportert', 'Exported'],
      closed: ['Håndtert utenfor', 'Handled elsewhere'],
      withdrawn: ['Godkjenning trukket', 'Approval withdrawn'],
    },
    history: ['Fra registrert til eksportert', 'From registered to exported'],
    fetched: ['Hentet', 'Fetched'],
    more: (count: string) => [
      `og ${pluralize(count, 'tidligere uthenting', 'tidligere uthentinger')}`,
      `and ${pluralize(count, 'earlier retrieval', 'earlier retrievals')}`,
    ],
    fields: {
      ...materialFields,
      kind: ['Type', 'Kind'],
      postingDate: ['Posteringsdato', 'Posting date'],
      query: ['Spørring', 'Query'],
    },
    exportedCount: ['Meldt bokført', 'Reported as booked'],
    remaining: ['Gjenstår', 'Left'],
    shown: (shown: string, all: string) => [
      shown === all
        ? pluralize(all, 'linje', 'linjer')
        : `${shown} av ${all} linjer vises: resten er lagt klar på nytt, eller hører til en tidligere uthenting.`,
      shown === all
        ? pluralize(all, 'line', 'lines')
        : `${shown} of ${all} lines are shown: the others have been made ready again, or belong to an earlier retrieval.`,
    ],
    json: ['Last ned JSON', 'Download JSON'],
    csv: ['Last ned CSV', 'Download CSV'],
    reconcile: ['Mottakerens liste mot vår', 'Compare the receiver’s list with ours'],
    reconcileText: [
      'Velg mottaker og periode, og last opp eller lim inn det mottakeren har bokført, som CSV, Excel eller JSON. Kolonnen heter Id for linjenumre, externalId for mottakerens numre eller Eksportnokkel for eksportnøkler. Ingenting endres før du ber om det.',
      'Choose receiver and period, and upload or paste what the receiver has booked, as CSV, Excel or JSON. Its column is called Id for line numbers, externalId for the receiver’s numbers, or Eksportnokkel for export keys. Nothing changes until you choose an action.',
    ],
    from: ['Eksportert fra', 'Exported from'],
    to: ['Til og med', 'Up to and including'],
    by: ['En liste uten overskrift har', 'A list without a header has'],
    namings: {
      id: ['linjenumre', 'line numbers'],
      external: ['mottakerens numre', 'the receiver’s numbers'],
      key: ['eksportnøkler', 'export keys'],
    },
    chooseFile: ['Velg fil', 'Choose a file'],
    paste: ['Eller lim inn listen', 'Or paste the list'],
    compare: ['Sammenlign', 'Compare'],
    both: ['Hos begge', 'In both'],
    onlyOurs: ['Bare hos oss', 'Only here'],
    onlyTheirs: ['Bare hos mottakeren', 'Only at the receiver'],
    onlyOursText: [
      'Eksportert her, men ikke i listen. Let etter dem hos mottakeren. Finnes de ikke der, legger du dem klare på nytt.',
      'Exported here, but not in the list. Look for them at the receiver. If they are not there, make them ready again.',
    ],
    onlyTheirsText: [
      'Står i listen, men er ikke eksportert her. Det som er klart her, kan meldes bokført, så det ikke hentes en gang til.',
      'In the list, but not exported here. Lines that are ready here can be reported as booked, so that they are not fetched again.',
    ],
    equal: ['Listene stemmer.', 'The lists match.'],
    different: ['Listene stemmer ikke.', 'The lists differ.'],
    firstOf: (shown: string, all: string) => [`De første ${shown} av ${all}.`, `The first ${shown} of ${all}.`],
    requeue: (count: string) => [`Legg ${count} klare på nytt …`, `Make ${count} ready again …`],
    acknowledgeLines: (count: string) => [`Meld ${count} bokført`, `Report ${count} as booked`],
    reportedExported: (count: string) => [`${count} er meldt bokført.`, `${count} reported as booked.`],
    notReported: (count: string) => [`${count} ble ikke meldt.`, `${count} were not reported.`],
    nextSteps: {
      ready: ['venter her: meld den bokført', 'waiting here: report it as booked'],
      withdrawn: [
        'godkjenningen er trukket: meld den bokført, eller fjern den hos mottakeren',
        'its approval was withdrawn: report it as booked, or remove it at the receiver',
      ],
      closed: ['er også håndtert utenfor: fjern en av dem', 'was handled elsewhere as well: remove one of the two'],
      exported: ['er eksportert', 'is exported'],
      unknown: [
        'aldri lagt klar for denne mottakeren: finn ut hvor den kom fra',
        'never ready for this receiver: find out where it came from',
      ],
    },
    latest: (count: string) => [`Viser de ${count} siste.`, `Shows the latest ${count}.`],
    alerts: ['Varsler', 'Alerts'],
    /** Codes of the ledger's own. */
    codes: {
      ChangeDropped: [
        'Ble endret etter at mottakeren hentet den. Mottakeren tar ikke rettelser, så endringen er forkastet.',
        'Changed after the receiver fetched it. The receiver does not accept corrections, so the change was discarded.',
      ],
      HalfCorrection: [
        'Erstatningen er bokført, men reverseringen feilet: mottakeren har begge.',
        'The replacement was booked, but the reversal failed: the receiver has both amounts.',
      ],
      PossibleDuplicate: [
        'Meldt bokført to ganger, av to forskjellige avsendere. Se etter to bilag.',
        'Reported as booked twice, by two senders. Check for duplicate vouchers.',
      ],
      ExternalIdMismatch: [
        'Meldt bokført to ganger, med to numre hos mottakeren. Se etter to bilag:',
        'Reported as booked twice, with two ids at the receiver. Check for duplicate vouchers:',
      ],
      broken: ['reservasjonen ble brutt', 'the claim was broken'],
      NotRetrieved: ['ble aldri hentet', 'was never retrieved'],
    },
  },
})

export const useExportDetailsText = defineTranslation(exportDetailsText, approvalText, auditText, exportText)
