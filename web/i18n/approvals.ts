// Texts of the approvals in both languages; loaded with their screens.
import { en as firstEnglish } from './en.ts'
import { nb as first } from './nb.ts'
import { materialFields } from './material-fields.ts'
import { defineSection, type Translation, type TranslationShape } from './define-section.ts'

const nb = {
  approvals: {
    ...first.approvals,
    lists: 'Lister',
    tabs: { venter: 'Venter', godkjent: 'Godkjent', avvist: 'Avvist', eksportert: 'Eksportert' },
    states: {
      Registrert: 'venter på godkjenning',
      Godkjent: 'godkjent',
      Avvist: 'avvist',
      Eksportert: 'eksportert',
    },
    groupBy: 'Grupper etter',
    groups: {
      none: 'Uten gruppering',
      project: 'Etter prosjekt',
      employee: 'Etter ansatt',
      department: 'Etter avdeling',
      day: 'Etter dag',
    },
    without: {
      none: '',
      project: 'Uten prosjekt',
      employee: 'Uten ansatt',
      department: 'Uten avdeling',
      day: '',
    },
    anomaliesOnly: 'Bare avvik',
    anomaliesHint: 'Sjekk disse først.',
    oldestAnomaliesOf: (shown: string, count: string) => `Viser de ${shown} eldste av ${count}.`,
    anomalies: {
      noProject: 'uten prosjekt',
      noPrice: 'uten pris',
      repeated: 'mulig dublett',
      unusual: 'uvanlig stort antall',
      future: 'fram i tid',
      unknownProject: 'ukjent prosjekt',
      unknownDepartment: 'ukjent avdeling',
    },
    columns: {
      ...materialFields.nb,
      tick: 'Merk',
      age: 'Alder',
    },
    days: (days: number) => `${days} d`,
    lines: (count: string) => (count === '1' ? '1 linje' : `${count} linjer`),
    line: (id: number) => `Linje ${id}`,
    nextLine: 'Neste linje',
    previousLine: 'Forrige linje',
    summary: (count: string, sum: string, anomalies: string | null) =>
      `${count === '1' ? '1 linje' : `${count} linjer`}, til sammen ${sum}${anomalies === null ? '' : `, ${anomalies}`}.`,
    staleList: {
      more: (count: string) =>
        count === '1'
          ? '1 ny linje siden du åpnet lista.'
          : `${count} nye linjer siden du åpnet lista.`,
      fewer: (count: string) =>
        count === '1'
          ? '1 linje er behandlet siden du åpnet lista.'
          : `${count} linjer er behandlet siden du åpnet lista.`,
      other: 'Linjer er endret siden du åpnet lista.',
      show: 'Vis lista som den er nå',
    },
    own: 'egen linje: en annen må godkjenne',
    moreFilters: 'Flere filtre',
    filters: (count: number) => (count === 0 ? 'Filtre' : `Filtre (${count})`),
    summaryHint: 'Åpne en gruppe: alt i den er merket, og du fjerner merket for det som er feil.',
    showLines: 'Vis alle linjene',
    chooseAll: (count: string) => `Merk alle ${count} som passer filteret`,
    chooseFirst: (chosen: string, count: string) =>
      `Merk de ${chosen} først registrerte av ${count}`,
    chooseUsual: (count: string) => `Merk alle ${count} uten avvik`,
    tick: (item: string, day: string, amount: string) => `Merk ${item}, ${day}, ${amount}`,
    ticked: (count: string, sum: string) => `${count} merket, ${sum}`,
    tickGroup: 'Merk alle',
    untick: 'Fjern merking',
    actions: 'Handlinger',
    approve: (count: string, sum: string) => `Godkjenn ${count} (${sum})`,
    approveOne: 'Godkjenn',
    withdrawOne: 'Trekk godkjenningen',
    reject: 'Avvis …',
    correct: 'Rett …',
    correctNow: 'Lagre rettelsen',
    correctMany: (count: string) => (count === '1' ? 'Rett 1 linje' : `Rett ${count} linjer`),
    correctHint: 'Bare feltene du fyller ut, endres.',
    fourEyes: 'En annen enn du må godkjenne det du retter.',
    problems: {
      quantity: 'Skriv et tall, for eksempel 2,5.',
      price: 'Skriv et beløp, for eksempel 12,50, eller la feltet stå tomt.',
    },
    withdraw: (count: string) => `Trekk godkjenning av ${count}`,
    rejectTitle: (count: string, sum: string) => `Avvis ${count} (${sum})`,
    rejectNow: (count: string) => `Avvis ${count}`,
    reason: 'Hvorfor?',
    reasonHint: 'Den som registrerte, ser dette og kan rette og sende på nytt.',
    reasonMissing: 'Skriv en grunn.',
    reasons: ['Feil prosjekt', 'Antallet stemmer ikke', 'Ført to ganger', 'Mangler pris'],
    rejectedBecause: (reason: string) => `Avvist: ${reason}`,
    done: {
      approve: (count: string, sum: string | null) =>
        `${count} godkjent${sum === null ? '' : ` (${sum})`}`,
      reject: (count: string, _sum: string | null) => `${count} avvist`,
      withdraw: (count: string, _sum: string | null) => `${count} venter på godkjenning igjen`,
      edit: (count: string, _sum: string | null) => `${count} rettet`,
    },
    left: (count: string) =>
      `Uten svar for ${count === '1' ? '1 linje' : `${count} linjer`}; lista viser hva som gjenstår.`,
    codes: {
      already_approved: 'alt godkjent av en annen',
      already_rejected: 'alt avvist av en annen',
      changed: 'endret etter at du hentet den: se på den på nytt',
      not_allowed: 'kan ikke endres i tilstanden den har nå',
      not_found: 'finnes ikke lenger, eller hører til en annen avdeling',
      NumberOutOfRange: 'beløpet blir for stort',
      ReferenceNotFound: 'har en kode som ikke finnes i registeret',
      LineClaimed: 'en mottaker holder på med den, så godkjenningen kan ikke trekkes nå',
      SelfApprovalForbidden: 'du har registrert eller rettet den selv, så en annen må godkjenne',
    },
    more: (count: string) => `og ${count} til`,
    empty: {
      registered: 'Ingenting venter på godkjenning',
      approved: 'Ingenting er godkjent og venter på eksport',
      rejected: 'Ingenting er avvist',
      exported: 'Ingenting er eksportert',
    },
    emptyText: 'Nye linjer kommer når noen registrerer uttak, eller en integrasjon sender dem.',
    linesOfProject: 'Andre linjer på prosjektet',
    exportDetails: 'Se eksportdetaljer',
    decisions: {
      Registrert: 'Godkjenning trukket',
      Godkjent: 'Godkjent',
      Avvist: 'Avvist',
    },
    changed: 'Endret',
    registered: 'Registrert',
  },
}

const en: TranslationShape<typeof nb> = {
  approvals: {
    ...firstEnglish.approvals,
    lists: 'Lists',
    tabs: { venter: 'Waiting', godkjent: 'Approved', avvist: 'Rejected', eksportert: 'Exported' },
    states: {
      Registrert: 'waiting for approval',
      Godkjent: 'approved',
      Avvist: 'rejected',
      Eksportert: 'exported',
    },
    groupBy: 'Group by',
    groups: {
      none: 'Not grouped',
      project: 'By project',
      employee: 'By employee',
      department: 'By department',
      day: 'By day',
    },
    without: {
      none: '',
      project: 'No project',
      employee: 'No employee',
      department: 'No department',
      day: '',
    },
    anomaliesOnly: 'Exceptions only',
    anomaliesHint: 'Check these first.',
    oldestAnomaliesOf: (shown, count) => `Shows the oldest ${shown} of ${count}.`,
    anomalies: {
      noProject: 'no project',
      noPrice: 'no price',
      repeated: 'possible duplicate',
      unusual: 'unusually large',
      future: 'in the future',
      unknownProject: 'unknown project',
      unknownDepartment: 'unknown department',
    },
    columns: {
      ...materialFields.en,
      tick: 'Select',
      age: 'Age',
    },
    days: (days) => `${days} d`,
    lines: (count) => (count === '1' ? '1 line' : `${count} lines`),
    line: (id) => `Line ${id}`,
    nextLine: 'Next line',
    previousLine: 'Previous line',
    summary: (count, sum, anomalies) =>
      `${count === '1' ? '1 line' : `${count} lines`}, ${sum} in all${anomalies === null ? '' : `, ${anomalies}`}.`,
    staleList: {
      more: (count: string) =>
        count === '1'
          ? '1 new line since you opened the list.'
          : `${count} new lines since you opened the list.`,
      fewer: (count: string) =>
        count === '1'
          ? '1 line was dealt with since you opened the list.'
          : `${count} lines were dealt with since you opened the list.`,
      other: 'Lines have changed since you opened the list.',
      show: 'Show the list as it is now',
    },
    own: 'your own line: somebody else must approve it',
    moreFilters: 'More filters',
    filters: (count) => (count === 0 ? 'Filters' : `Filters (${count})`),
    summaryHint: 'Open a group: all its lines are selected, and you deselect what is wrong.',
    showLines: 'Show all lines',
    chooseAll: (count) => `Select all ${count} that match the filter`,
    chooseFirst: (chosen, count) => `Select the first ${chosen} registered of ${count}`,
    chooseUsual: (count) => `Select all ${count} without exceptions`,
    tick: (item, day, amount) => `Select ${item}, ${day}, ${amount}`,
    ticked: (count, sum) => `${count} selected, ${sum}`,
    tickGroup: 'Select all',
    untick: 'Clear selection',
    actions: 'Actions',
    approve: (count, sum) => `Approve ${count} (${sum})`,
    approveOne: 'Approve',
    withdrawOne: 'Withdraw the approval',
    reject: 'Reject …',
    correct: 'Correct …',
    correctNow: 'Save the correction',
    correctMany: (count) => (count === '1' ? 'Correct 1 line' : `Correct ${count} lines`),
    correctHint: 'Only the fields you fill in are changed.',
    fourEyes: 'Somebody other than you must approve what you correct.',
    problems: {
      quantity: 'Enter a number, such as 2.5.',
      price: 'Enter an amount, such as 12.50, or leave the field empty.',
    },
    withdraw: (count) => `Withdraw approval of ${count}`,
    rejectTitle: (count, sum) => `Reject ${count} (${sum})`,
    rejectNow: (count) => `Reject ${count}`,
    reason: 'Why?',
    reasonHint: 'The person who registered it sees this, and can correct it and send it again.',
    reasonMissing: 'Write a reason.',
    reasons: ['Wrong project', 'The quantity is wrong', 'Registered twice', 'The price is missing'],
    rejectedBecause: (reason) => `Rejected: ${reason}`,
    done: {
      approve: (count, sum) => `${count} approved${sum === null ? '' : ` (${sum})`}`,
      reject: (count) => `${count} rejected`,
      withdraw: (count) => `${count} waiting for approval again`,
      edit: (count) => `${count} corrected`,
    },
    left: (count) =>
      `No reply for ${count === '1' ? '1 line' : `${count} lines`}; the list shows what is left.`,
    codes: {
      already_approved: 'approved by somebody else already',
      already_rejected: 'rejected by somebody else already',
      changed: 'changed after you loaded it: check it again',
      not_allowed: 'cannot be changed in its current state',
      not_found: 'no longer exists, or belongs to another department',
      NumberOutOfRange: 'its amount would be too large',
      ReferenceNotFound: 'has a code that is not in the directory',
      LineClaimed: 'claimed by a receiver, so its approval cannot be withdrawn now',
      SelfApprovalForbidden:
        'you registered or corrected it yourself, so somebody else must approve it',
    },
    more: (count) => `and ${count} more`,
    empty: {
      registered: 'Nothing is waiting for approval',
      approved: 'No approved lines are waiting for export',
      rejected: 'Nothing is rejected',
      exported: 'Nothing is exported',
    },
    emptyText: 'New lines come when somebody registers material, or an integration sends them.',
    linesOfProject: 'Other lines of the project',
    exportDetails: 'See export details',
    decisions: {
      Registrert: 'Approval withdrawn',
      Godkjent: 'Approved',
      Avvist: 'Rejected',
    },
    changed: 'Changed',
    registered: 'Registered',
  },
}

export const approvalText = defineSection(nb, en)

export type ApprovalTexts = Translation<typeof approvalText>
