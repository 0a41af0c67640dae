// Texts of the data-quality screen in both languages; loaded with it.
import { defineSection } from '../../i18n/define-section.ts'

const nb = {
  title: 'Må ryddes',
  span: 'De siste fem ukene',
  all: 'Se alt',
  noIssues: 'Alt er i orden',
  noIssuesText: 'Ingen manglende dager, ukjente koder, dobbelte poster eller poster uten dato.',
  crowded: 'Dager med doble tall',
  undated: 'Poster uten dato',
  cellTexts: {
    crowded: 'Samme avdeling og dag har mer enn én post. Kassen oppdaterer alltid den øverste. Slett den som er feil.',
    undated: 'De er ikke med i noen periode. Be den som sender, om å rette dem med en dato, eller slett dem.',
  },
  missing: 'Dager uten tall',
  missingText: 'Dager der avdelingen pleier å ha omsetning. Fyll dem inn, eller spør den som sender.',
  unknown: 'Ukjente avdelingskoder',
  unknownText: 'Koder som ikke finnes i registeret. Opprett avdelingen, eller flytt postene til den de hører til.',
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
  compare: 'Se postene',
  compareIn: (department: string, date: string) => `Se postene: ${department}, ${date}`,
  fill: 'Fyll inn',
  create: 'Opprett avdelingen',
  createFor: (code: string) => `Opprett avdelingen ${code}`,
  move: 'Flytt postene',
  moveFor: (code: string) => `Flytt postene med kode ${code}`,
  moveTo: 'Riktig avdeling',
  moveText: (count: string, code: string, first: string, last: string) =>
    `${count} poster med koden ${code} fra ${first} til ${last} får avdelingen du velger.`,
  moveNow: 'Flytt postene',
  moved: (count: string) => `${count} poster er flyttet.`,
  choose: 'Velg en avdeling',
}

export type DataQualityTexts = typeof nb

const en: DataQualityTexts = {
  title: 'Data quality',
  span: 'The last five weeks',
  all: 'See all',
  noIssues: 'No issues found',
  noIssuesText: 'No missing days, unknown codes, duplicate records or records without a date.',
  crowded: 'Days with duplicate figures',
  undated: 'Records without a date',
  cellTexts: {
    crowded:
      'The same department and day have more than one record. Tills always update the first. Delete the wrong one.',
    undated: 'They are in no period. Ask the sender to update them with a date, or delete them.',
  },
  missing: 'Days without revenue',
  missingText: 'Days on which the department usually has revenue. Fill them in, or ask the sender.',
  unknown: 'Unknown department codes',
  unknownText: 'Codes that are not in the directory. Create the department, or move the records to the right one.',
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
  compare: 'See the records',
  compareIn: (department, date) => `See the records: ${department}, ${date}`,
  fill: 'Fill in',
  create: 'Create the department',
  createFor: (code) => `Create the department ${code}`,
  move: 'Move the records',
  moveFor: (code) => `Move the records with code ${code}`,
  moveTo: 'The right department',
  moveText: (count, code, first, last) =>
    `${count} records with code ${code} from ${first} to ${last} are moved to the department you choose.`,
  moveNow: 'Move the records',
  moved: (count) => `${count} records moved.`,
  choose: 'Choose a department',
}

export const dataQualityText = defineSection({ dataQuality: nb }, { dataQuality: en })
