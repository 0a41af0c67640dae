// Texts of the data-quality screen in both languages; loaded with it.
import { useText } from '../../i18n/translation.tsx'

const nb = {
  title: 'Å rydde',
  span: 'De siste fem ukene',
  all: 'Se alt',
  fine: 'Alt er i orden',
  fineText: 'Ingen manglende dager, ukjente koder eller dobbelte poster.',
  crowded: 'Celler med flere poster',
  crowdedText:
    'Samme avdeling og dag har mer enn én post. Den som leder, er den som kasser overskriver; sammenlign, og slett den som er for mye.',
  missing: 'Dager uten tall',
  missingText:
    'Dager der avdelingen pleier å ha omsetning. Fyll dem inn, eller spør den som sender.',
  unknown: 'Ukjente avdelingskoder',
  unknownText:
    'Koder som ikke finnes i registeret. Opprett avdelingen, eller flytt postene til den de hører til.',
  count: (count: string, sum: string) => `${count} · ${sum}`,
  columns: {
    date: 'Dato',
    department: 'Avdeling',
    records: 'Poster',
    sum: 'Sum',
    days: 'Dager',
    code: 'Kode',
    first: 'Første',
    last: 'Siste',
    sender: 'Sendt av',
    next: 'Neste steg',
  },
  look: 'Sammenlign postene',
  lookAt: (department: string, date: string) => `Sammenlign postene i ${department} ${date}`,
  fill: 'Fyll inn',
  make: 'Opprett avdelingen',
  makeOf: (code: string) => `Opprett avdelingen ${code}`,
  move: 'Flytt postene',
  moveOf: (code: string) => `Flytt postene med kode ${code}`,
  moveTo: 'Riktig avdeling',
  moveText: (count: string, code: string, first: string, last: string) =>
    `${count} poster med koden ${code} fra ${first} til ${last} får avdelingen du velger.`,
  moveNow: 'Flytt postene',
  moved: (count: string) => `${count} poster er flyttet.`,
  choose: 'Velg en avdeling',
}

export type TidyingTexts = typeof nb

const en: TidyingTexts = {
  title: 'To tidy up',
  span: 'The last five weeks',
  all: 'See all',
  fine: 'All is well',
  fineText: 'No missing days, unknown codes or double records.',
  crowded: 'Cells with several records',
  crowdedText:
    'The same department and day have more than one record. The one that leads is what tills overwrite; compare them, and delete the one too many.',
  missing: 'Days without figures',
  missingText: 'Days on which the department usually has revenue. Fill them in, or ask the sender.',
  unknown: 'Unknown department codes',
  unknownText:
    'Codes that the directory does not have. Make the department, or move the records to where they belong.',
  count: (count, sum) => `${count} · ${sum}`,
  columns: {
    date: 'Date',
    department: 'Department',
    records: 'Records',
    sum: 'Sum',
    days: 'Days',
    code: 'Code',
    first: 'First',
    last: 'Last',
    sender: 'Sent by',
    next: 'Next step',
  },
  look: 'Compare the records',
  lookAt: (department, date) => `Compare the records of ${department} ${date}`,
  fill: 'Fill in',
  make: 'Make the department',
  makeOf: (code) => `Make the department ${code}`,
  move: 'Move the records',
  moveOf: (code) => `Move the records with code ${code}`,
  moveTo: 'The right department',
  moveText: (count, code, first, last) =>
    `${count} records with the code ${code} from ${first} to ${last} get the department that you choose.`,
  moveNow: 'Move the records',
  moved: (count) => `${count} records are moved.`,
  choose: 'Choose a department',
}

export function useTidyingText(): TidyingTexts {
  return useText().language === 'nb' ? nb : en
}
