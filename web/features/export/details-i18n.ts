// Texts of export history and reconciliation in both languages; loaded with their screen.
import { ledgerCodes } from './error-codes-i18n.ts'
import { defineSection } from '../../i18n/define-section.ts'
import { materialFields } from '../../i18n/material-fields.ts'

const nb = {
  views: {
    label: 'Vis',
    ko: 'Kø',
    historikk: 'Historikk',
    ventetid: 'Ventetid',
    avstemming: 'Avstemming',
  },
  overdue: (count: string, sum: string, destination: string | null, since: string) =>
    `${count === '1' ? '1 linje' : `${count} linjer`}${destination === null ? '' : ` til ${destination}`}, til sammen ${sum}, er godkjent og ikke eksportert etter tre dager. Den eldste har ventet siden ${since}.`,
  lateText: 'Se om mottakerens jobb går, og om linjene er meldt som feil.',
  openLine: (id: number) => `Vis detaljer for linje ${id}`,
  openRetrieval: (id: number) => `Vis uthenting ${id}`,
  retrieval: (id: number) => `Uthenting ${id}`,
  line: (id: number) => `Linje ${id}`,
  kinds: { Original: 'Original', Reversering: 'Reversering', Erstatning: 'Erstatning' },
  corrections: 'Rettelser',
  correctionsText:
    'Originalen og linjene som retter den. En reversering opphever den forrige linjen.',
  reverses: (id: number) => `reverserer ${id}`,
  replaces: (id: number) => `erstatter ${id}`,
  states: {
    ready: 'Klart',
    exported: 'Eksportert',
    closed: 'Håndtert utenfor',
    withdrawn: 'Godkjenning trukket',
  },
  history: 'Fra registrert til eksportert',
  registered: 'Registrert',
  approved: 'Godkjent',
  fetched: 'Hentet',
  ready: 'Lagt klar',
  more: (count: string) => `og ${count} tidligere uthentinger`,
  fields: {
    ...materialFields.nb,
    postingDate: 'Posteringsdato',
    at: 'Hentet',
    by: 'Av',
    query: 'Spørring',
    lines: 'Linjer',
    sum: 'Sum',
    hash: 'Kontrollsum',
    request: 'Forespørsel',
    claim: 'Reservasjon',
  },
  exportedCount: 'Meldt bokført',
  remaining: 'Gjenstår',
  shown: (shown: string, all: string) =>
    shown === all
      ? `${all} linjer`
      : `${shown} av ${all} linjer vises: resten er lagt klar på nytt, eller hører til en tidligere uthenting.`,
  older: 'Vis flere',
  json: 'Last ned JSON',
  csv: 'Last ned CSV',
  reconcile: 'Mottakerens liste mot vår',
  reconcileText:
    'Velg mottaker og periode, og gi listen over det mottakeren har: JSON, CSV eller Excel med Id, externalId eller Eksportnokkel. Ingenting endres før du velger det.',
  destination: 'Mottaker',
  from: 'Eksportert fra',
  to: 'til og med',
  by: 'Verdier uten overskrift er',
  namings: { id: 'våre id-er', external: 'mottakerens id-er', key: 'eksportnøkler' },
  chooseFile: 'Velg liste',
  paste: 'Eller lim inn listen',
  compare: 'Sammenlign',
  both: 'Hos begge',
  onlyOurs: 'Bare hos oss',
  onlyTheirs: 'Bare hos mottakeren',
  onlyOursText:
    'Står som eksportert her, men er ikke i listen. Let etter dem hos mottakeren; er de tapt der, legg dem ut på nytt.',
  onlyTheirsText:
    'Står i listen, men er ikke eksportert her. Det som er klart her, kan meldes bokført, så det ikke hentes en gang til.',
  equal: 'Listene stemmer.',
  firstOf: (shown: string, all: string) => `De første ${shown} av ${all}.`,
  requeue: (count: string) => `Legg ut ${count} på nytt …`,
  acknowledgeLines: (count: string) => `Meld ${count} bokført`,
  reportedExported: (count: string) => `${count} er meldt bokført.`,
  notReported: (count: string) => `${count} ble ikke meldt.`,
  nextSteps: {
    ready: 'venter her: meld den bokført',
    withdrawn: 'godkjenningen er trukket: meld den bokført, eller fjern den hos mottakeren',
    closed: 'er også håndtert utenfor: fjern en av dem',
    exported: 'er eksportert',
    unknown: 'aldri lagt klar for denne mottakeren: finn ut hvor den kom fra',
  },
  exportedAt: 'Eksportert',
  nextStep: 'Neste steg',
  alerts: 'Varsler',
  codes: ledgerCodes.nb,
  none: '–',
}

export type ExportDetailsTexts = typeof nb

const en: ExportDetailsTexts = {
  views: {
    label: 'View',
    ko: 'Queue',
    historikk: 'History',
    ventetid: 'Waiting',
    avstemming: 'Reconciliation',
  },
  overdue: (count, sum, destination, since) =>
    `${count === '1' ? '1 line' : `${count} lines`}${destination === null ? '' : ` for ${destination}`}, ${sum} in all, have been approved for three days and are not exported. The oldest has waited since ${since}.`,
  lateText:
    'Check whether the receiver’s job is running, and whether lines were reported as failed.',
  openLine: (id) => `Show details of line ${id}`,
  openRetrieval: (id) => `Show retrieval ${id}`,
  retrieval: (id) => `Retrieval ${id}`,
  line: (id) => `Line ${id}`,
  kinds: { Original: 'Original', Reversering: 'Reversal', Erstatning: 'Replacement' },
  corrections: 'Corrections',
  correctionsText:
    'The original and the lines that correct it. A reversal cancels the previous line.',
  reverses: (id) => `reverses ${id}`,
  replaces: (id) => `replaces ${id}`,
  states: {
    ready: 'Ready',
    exported: 'Exported',
    closed: 'Handled elsewhere',
    withdrawn: 'Approval withdrawn',
  },
  history: 'From registered to exported',
  registered: 'Registered',
  approved: 'Approved',
  fetched: 'Fetched',
  ready: 'Made ready',
  more: (count) => `and ${count} earlier retrievals`,
  fields: {
    ...materialFields.en,
    postingDate: 'Posting date',
    at: 'Fetched',
    by: 'By',
    query: 'Query',
    lines: 'Lines',
    sum: 'Sum',
    hash: 'Checksum',
    request: 'Request',
    claim: 'Claim',
  },
  exportedCount: 'Reported as exported',
  remaining: 'Left',
  shown: (shown, all) =>
    shown === all
      ? `${all} lines`
      : `${shown} of ${all} lines are shown: the others have been requeued, or belong to an earlier retrieval.`,
  older: 'Show more',
  json: 'Download JSON',
  csv: 'Download CSV',
  reconcile: 'Compare the receiver’s list with ours',
  reconcileText:
    'Choose receiver and period, and upload a list of what the receiver has: JSON, CSV or Excel with Id, externalId or Eksportnokkel. Nothing changes until you choose an action.',
  destination: 'Receiver',
  from: 'Exported from',
  to: 'until (inclusive)',
  by: 'Values without a header are',
  namings: { id: 'our ids', external: 'the receiver’s ids', key: 'export keys' },
  chooseFile: 'Choose a list',
  paste: 'Or paste the list',
  compare: 'Compare',
  both: 'In both',
  onlyOurs: 'Only here',
  onlyTheirs: 'Only at the receiver',
  onlyOursText:
    'Exported here, but not in the list. Look for them at the receiver; if they are lost there, requeue them.',
  onlyTheirsText:
    'In the list, but not exported here. Lines that are ready here can be reported as exported, so that they are not fetched again.',
  equal: 'The lists match.',
  firstOf: (shown, all) => `The first ${shown} of ${all}.`,
  requeue: (count) => `Requeue ${count} …`,
  acknowledgeLines: (count) => `Report ${count} as exported`,
  reportedExported: (count) => `${count} reported as exported.`,
  notReported: (count) => `${count} were not reported.`,
  nextSteps: {
    ready: 'waiting here: report it as exported',
    withdrawn: 'its approval was withdrawn: report it as exported, or remove it at the receiver',
    closed: 'was handled elsewhere as well: remove one of the two',
    exported: 'is exported',
    unknown: 'never ready for this receiver: find out where it came from',
  },
  exportedAt: 'Exported',
  nextStep: 'Next step',
  alerts: 'Alerts',
  codes: ledgerCodes.en,
  none: '–',
}

export const exportDetailsText = defineSection({ exportDetails: nb }, { exportDetails: en })
