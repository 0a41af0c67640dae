// Texts of the approvals in both languages; loaded with their screens.
import { frameTexts } from './frame.ts'
import { materialFields } from './material-fields.ts'
import { pluralize } from './plural.ts'
import { defineSection, defineTranslation, type Translation } from './translation.ts'
import { revenueText } from './revenue.ts'

export const approvalText = defineSection({
  approvals: {
    ...frameTexts.approvals,
    lists: ['Lister', 'Lists'],
    tabs: {
      venter: ['Venter', 'Waiting'],
      godkjent: ['Godkjent', 'Approved'],
      avvist: ['Avvist', 'Rejected'],
      eksportert: ['Eksportert', 'Exported'],
    },
    states: {
      Registrert: frameTexts.approvals.waiting,
      Godkjent: ['Godkjent', 'Approved'],
      Avvist: ['Avvist', 'Rejected'],
      Eksportert: ['Eksportert', 'Exported'],
    },
    groupBy: ['Grupper etter', 'Group by'],
    groups: {
      none: ['Uten gruppering', 'Not grouped'],
      project: ['Etter prosjekt', 'By project'],
      employee: ['Etter ansatt', 'By employee'],
      department: ['Etter avdeling', 'By department'],
      day: ['Etter dag', 'By day'],
    },
    without: {
      none: ['', ''],
      project: ['Uten prosjekt', 'No project'],
      employee: ['Uten ansatt', 'No employee'],
      department: ['Uten avdeling', 'No department'],
      day: ['', ''],
    },
    anomaliesOnly: ['Bare avvik', 'Exceptions only'],
    anomaliesHint: ['Sjekk disse først.', 'Check these first.'],
    oldestAnomaliesOf: (shown: string, count: string) => [
      `Viser de ${shown} eldste av ${count}.`,
      `Shows the oldest ${shown} of ${count}.`,
    ],
    anomalies: {
      noProject: ['uten prosjekt', 'no project'],
      noPrice: ['uten pris', 'no price'],
      duplicate: ['mulig dublett', 'possible duplicate'],
      unusual: ['uvanlig stort antall', 'unusually large'],
      future: ['fram i tid', 'in the future'],
      unknownProject: ['ukjent prosjekt', 'unknown project'],
      unknownDepartment: ['ukjent avdeling', 'unknown department'],
    },
    usually: (quantity: string, range: string) => [`${quantity}, vanligvis ${range}`, `${quantity}, usually ${range}`],
    columns: {
      ...materialFields,
      tick: ['Merk', 'Select'],
      id: ['Linje', 'Line'],
      age: ['Alder', 'Age'],
      reason: ['Begrunnelse', 'Reason'],
    },
    days: (days: number) => [`${days} d`, `${days} d`],
    lines: (count: string) => [pluralize(count, 'linje', 'linjer'), pluralize(count, 'line', 'lines')],
    line: (id: number) => [`Linje ${id}`, `Line ${id}`],
    nextLine: ['Neste linje', 'Next line'],
    previousLine: ['Forrige linje', 'Previous line'],
    summary: (count: string, sum: string, anomalies: string | null) => [
      `${pluralize(count, 'linje', 'linjer')}, til sammen ${sum}${anomalies === null ? '' : `, ${anomalies}`}.`,
      `${pluralize(count, 'line', 'lines')}, ${sum} in all${anomalies === null ? '' : `, ${anomalies}`}.`,
    ],
    staleList: {
      more: (count: string) => [
        pluralize(count, 'ny linje siden du åpnet listen.', 'nye linjer siden du åpnet listen.'),
        pluralize(count, 'new line since you opened the list.', 'new lines since you opened the list.'),
      ],
      fewer: (count: string) => [
        pluralize(count, 'linje er behandlet siden du åpnet listen.', 'linjer er behandlet siden du åpnet listen.'),
        pluralize(
          count,
          'line was dealt with since you opened the list.',
          'lines were dealt with since you opened the list.',
        ),
      ],
      other: ['Linjer er endret siden du åpnet listen.', 'Lines have changed since you opened the list.'],
      show: ['Vis listen som den er nå', 'Show the list as it is now'],
    },
    search: ['Søk i linjene', 'Search the lines'],
    allWeeks: ['Alle uker', 'All weeks'],
    own: ['egen linje', 'your own line'],
    ownLine: [
      'Du har selv registrert eller rettet linjen, så en annen må godkjenne den.',
      'You registered or corrected the line yourself, so somebody else must approve it.',
    ],
    ownLeft: (count: string) => [
      `${pluralize(count, 'linje', 'linjer')} som du selv har registrert eller rettet, er ikke merket: en annen må godkjenne.`,
      pluralize(
        count,
        'line that you registered or corrected yourself is not selected: somebody else must approve it.',
        'lines that you registered or corrected yourself are not selected: somebody else must approve them.',
      ),
    ],
    moreFilters: ['Flere filtre', 'More filters'],
    filters: (count: number) => [
      count === 0 ? 'Filtre' : `Filtre (${count})`,
      count === 0 ? 'Filters' : `Filters (${count})`,
    ],
    summaryHint: [
      'Åpne en gruppe: alle linjene er merket. Fjern merkingen av dem som er feil.',
      'Open a group: all its lines are selected. Deselect the wrong ones.',
    ],
    showLines: ['Vis alle linjene', 'Show all lines'],
    chooseAll: (count: string) => [
      `Merk alle ${count} som passer filteret`,
      `Select all ${count} that match the filter`,
    ],
    chooseFirst: (chosen: string, count: string) => [
      `Merk de ${chosen} først registrerte av ${count}`,
      `Select the first ${chosen} registered of ${count}`,
    ],
    chooseUsual: (count: string) => [`Merk alle ${count} uten avvik`, `Select all ${count} without exceptions`],
    tick: (item: string, day: string, amount: string) => [
      `Merk ${item}, ${day}, ${amount}`,
      `Select ${item}, ${day}, ${amount}`,
    ],
    ticked: (count: string, sum: string) => [`${count} merket, ${sum}`, `${count} selected, ${sum}`],
    tickGroup: ['Merk alle', 'Select all'],
    untick: ['Fjern merking', 'Clear selection'],
    approve: (count: string, sum: string) => [`Godkjenn ${count} (${sum})`, `Approve ${count} (${sum})`],
    approveOne: ['Godkjenn', 'Approve'],
    withdrawOne: ['Trekk godkjenningen', 'Withdraw the approval'],
    reject: ['Avvis …', 'Reject …'],
    correct: ['Rett …', 'Correct …'],
    correctNow: ['Lagre rettelsen', 'Save the correction'],
    correctMany: (count: string) => [
      `Rett ${pluralize(count, 'linje', 'linjer')}`,
      `Correct ${pluralize(count, 'line', 'lines')}`,
    ],
    correctHint: ['Bare feltene du fyller ut, endres.', 'Only the fields you fill in are changed.'],
    fourEyes: ['En annen enn du må godkjenne det du retter.', 'Somebody other than you must approve what you correct.'],
    problems: {
      quantity: ['Skriv et tall, for eksempel 2,5.', 'Enter a number, such as 2.5.'],
      zero: ['Antallet kan ikke være 0.', 'The quantity cannot be 0.'],
      price: [
        'Skriv et beløp, for eksempel 12,50, eller la feltet stå tomt.',
        'Enter an amount, such as 12.50, or leave the field empty.',
      ],
    },
    withdraw: (count: string) => [`Trekk godkjenning av ${count}`, `Withdraw approval of ${count}`],
    rejectTitle: (count: string, sum: string) => [`Avvis ${count} (${sum})`, `Reject ${count} (${sum})`],
    rejectNow: (count: string) => [`Avvis ${count}`, `Reject ${count}`],
    reason: ['Hvorfor?', 'Why?'],
    reasonHint: [
      'Den som registrerte, ser dette og kan rette og sende på nytt.',
      'The person who registered it sees this, and can correct it and send it again.',
    ],
    reasonMissing: ['Skriv en begrunnelse.', 'Enter a reason.'],
    reasons: [
      ['Feil prosjekt', 'Antallet stemmer ikke', 'Ført to ganger', 'Mangler pris'],
      ['Wrong project', 'The quantity is wrong', 'Registered twice', 'The price is missing'],
    ],
    rejectedBecause: (reason: string) => [`Avvist: ${reason}`, `Rejected: ${reason}`],
    done: {
      approve: (count: string, sum: string | null) => [
        `${count} godkjent${sum === null ? '' : ` (${sum})`}`,
        `${count} approved${sum === null ? '' : ` (${sum})`}`,
      ],
      reject: (count: string, _sum: string | null) => [`${count} avvist`, `${count} rejected`],
      withdraw: (count: string, _sum: string | null) => [
        `${count} venter på godkjenning igjen`,
        `${count} waiting for approval again`,
      ],
      edit: (count: string, _sum: string | null) => [`${count} rettet`, `${count} corrected`],
    },
    left: (count: string) => [
      `Serveren svarte ikke for ${pluralize(count, 'linje', 'linjer')}. Listen viser hva som gjenstår.`,
      `The server did not reply for ${pluralize(count, 'line', 'lines')}. The list shows what is left.`,
    ],
    codes: {
      already_approved: ['allerede godkjent av en annen', 'already approved by somebody else'],
      already_rejected: ['allerede avvist av en annen', 'already rejected by somebody else'],
      changed: [
        'endret etter at du åpnet listen: se på den på nytt',
        'changed after you opened the list: check it again',
      ],
      not_allowed: [
        'kan ikke endres nå som den har fått en annen status',
        'cannot be changed, as its status is different now',
      ],
      not_found: [
        'finnes ikke lenger, eller hører til en annen avdeling',
        'no longer exists, or belongs to another department',
      ],
      NumberOutOfRange: ['beløpet blir for stort', 'its amount would be too large'],
      ReferenceNotFound: ['har en kode som ikke finnes i registeret', 'has a code that is not in the directory'],
      LineClaimed: [
        'en mottaker holder på med den, så godkjenningen kan ikke trekkes nå',
        'claimed by a receiver, so its approval cannot be withdrawn now',
      ],
      SelfApprovalForbidden: [
        'du har registrert eller rettet den selv, så en annen må godkjenne',
        'you registered or corrected it yourself, so somebody else must approve it',
      ],
    },
    more: (count: string) => [`og ${count} til`, `and ${count} more`],
    empty: {
      registered: ['Ingenting venter på godkjenning', 'Nothing is waiting for approval'],
      approved: ['Ingenting er godkjent og venter på eksport', 'No approved lines are waiting for export'],
      rejected: ['Ingenting er avvist', 'Nothing is rejected'],
      exported: ['Ingenting er eksportert', 'Nothing is exported'],
    },
    emptyText: {
      registered: [
        'Nye linjer kommer når noen registrerer uttak, eller en integrasjon sender dem.',
        'New lines come when somebody registers material, or an integration sends them.',
      ],
      approved: [
        'Godkjente linjer står her til mottakeren har meldt dem bokført.',
        'Approved lines are listed here until the receiver has reported them as booked.',
      ],
      rejected: [
        'Avviste linjer står her til de er rettet og sendt på nytt.',
        'Rejected lines are listed here until they are corrected and sent again.',
      ],
      exported: [
        'Linjer kommer hit når mottakeren har meldt dem bokført.',
        'Lines come here when the receiver has reported them as booked.',
      ],
    },
    linesOfProject: ['Andre linjer på prosjektet', 'Other lines of the project'],
    exportDetails: ['Se eksportdetaljer', 'See export details'],
    decisions: {
      Registrert: ['Godkjenning trukket', 'Approval withdrawn'],
      Godkjent: ['Godkjent', 'Approved'],
      Avvist: ['Avvist', 'Rejected'],
    },
    changed: ['Endret', 'Changed'],
    registered: ['Registrert', 'Registered'],
  },
})

export const useApprovalText = defineTranslation(approvalText, revenueText)

export type ApprovalTexts = Translation<typeof approvalText>
