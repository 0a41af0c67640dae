// Texts of the data-quality screen in both languages; loaded with it.
import { pluralize } from '../../i18n/plural.ts'
import { defineSection, defineTranslation } from '../../i18n/translation.ts'

const dataQualityText = defineSection({
  dataQuality: {
    span: ['De siste fem ukene', 'The last five weeks'],
    crowded: ['Dager med doble tall', 'Days with duplicate figures'],
    undated: ['Poster uten dato', 'Records without a date'],
    cellTexts: {
      crowded: [
        'Samme avdeling og dag har mer enn én post. Kassen oppdaterer alltid den øverste. Slett den som er feil.',
        'The same department and day have more than one record. Tills always update the first. Delete the wrong one.',
      ],
      undated: [
        'De regnes ikke med i noen periode. Be avsenderen om å sende dem med dato, eller slett dem.',
        'They are not counted in any period. Ask the sender to send them with a date, or delete them.',
      ],
    },
    missing: ['Dager uten tall', 'Days without revenue'],
    missingText: [
      'Dager der avdelingen pleier å ha omsetning. Fyll inn tallene, eller spør avsenderen.',
      'Days on which the department usually has revenue. Fill them in, or ask the sender.',
    ],
    unknown: ['Ukjente avdelingskoder', 'Unknown department codes'],
    unknownText: [
      'Koder som ikke finnes i registeret. Opprett avdelingen, eller flytt postene til den de hører til.',
      'Codes that are not in the directory. Create the department, or move the records to the right one.',
    ],
    count: (count: string, sum: string) => [`${count} · ${sum}`, `${count} · ${sum}`],
    columns: {
      date: ['Dato', 'Date'],
      records: ['Poster', 'Records'],
      code: ['Kode', 'Code'],
      first: ['Første', 'First'],
      last: ['Siste', 'Last'],
      sender: ['Sendt av', 'Sent by'],
      days: ['Dager', 'Days'],
    },
    compare: ['Se postene', 'See the records'],
    compareIn: (department: string, date: string) => [
      `Se postene: ${department}, ${date}`,
      `See the records: ${department}, ${date}`,
    ],
    fill: ['Fyll inn', 'Fill in'],
    create: ['Opprett avdelingen', 'Create the department'],
    createFor: (code: string) => [`Opprett avdelingen ${code}`, `Create the department ${code}`],
    move: ['Flytt postene', 'Move the records'],
    moveFor: (code: string) => [`Flytt postene med kode ${code}`, `Move the records with code ${code}`],
    moveTo: ['Riktig avdeling', 'The right department'],
    moveText: (count: string, code: string, first: string, last: string) => [
      `${pluralize(count, 'post', 'poster')} med koden ${code} fra ${first} til ${last} får avdelingen du velger.`,
      `${pluralize(count, 'record', 'records')} with code ${code} from ${first} to ${last} will get the department you choose.`,
    ],
    moved: (count: string) => [
      `${pluralize(count, 'post', 'poster')} er flyttet.`,
      `${pluralize(count, 'record', 'records')} moved.`,
    ],
    choose: ['Velg en avdeling', 'Choose a department'],
  },
})

export const useDataQualityText = defineTranslation(dataQualityText)
