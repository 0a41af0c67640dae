// Texts of revenue in both languages; loaded with the screens that use them.
import { frameTexts } from './frame.ts'
import { materialFields } from './material-fields.ts'
import { pluralize } from './plural.ts'
import { defineSection, defineTranslation } from './translation.ts'

export const revenueText = defineSection({
  revenue: {
    ...frameTexts.revenue,
    against: (amount: string) => [`mot ${amount}`, `vs ${amount}`],
    before: ['i fjor', 'last year'],
    sameInLastYear: {
      dates: ['samme datoer i fjor', 'same dates last year'],
      weekdays: ['samme ukedager i fjor', 'same weekdays last year'],
    },
    views: {
      chart: ['Utvikling', 'Trend'],
      days: ['Dager', 'Days'],
      calendar: ['Kalender', 'Calendar'],
      received: ['Mottatt', 'Received'],
    },
    per: { label: ['Vis per', 'Show by'], day: ['Dag', 'Day'], week: ['Uke', 'Week'], month: ['Måned', 'Month'] },
    allDepartments: ['Alle avdelinger', 'All departments'],
    unknownDepartment: ['ukjent kode', 'unknown code'],
    period: ['Periode', 'Period'],
    presets: {
      days: ['Siste 30 dager', 'Last 30 days'],
      thisMonth: ['Denne måneden', 'This month'],
      lastMonth: ['Forrige måned', 'Last month'],
      weeks: ['Siste 13 uker', 'Last 13 weeks'],
      months: ['Siste 12 måneder', 'Last 12 months'],
      thisYear: ['Hittil i år', 'This year so far'],
      lastYear: ['I fjor', 'Last year'],
    },
    otherPeriod: ['Valgt periode', 'Chosen period'],
    chart: ['Omsetning per avdeling', 'Revenue by department'],
    lastYear: ['I fjor', 'Last year'],
    againstLastYear: ['Mot i fjor', 'vs last year'],
    thisYear: ['I år', 'This year'],
    asTable: ['Tabell', 'Table'],
    asChart: ['Diagram', 'Chart'],
    summary: (sum: string, before: string, sameInLastYear: string, share: string) => [
      `Sum ${sum}, ${sameInLastYear} ${before} (${share}).`,
      `Total ${sum}, ${sameInLastYear} ${before} (${share}).`,
    ],
    exportCsv: ['Last ned CSV', 'Download CSV'],
    exportExcel: ['Last ned som Excel', 'Download as Excel'],
    download: ['Last ned', 'Download'],
    exportPicture: ['Last ned diagrammet som PNG', 'Download the chart as PNG'],
    copyLink: ['Kopier OData-lenke', 'Copy OData link'],
    earlier: ['Tidligere', 'Earlier'],
    later: ['Senere', 'Later'],
    span: { label: ['Vis', 'Show'], week: ['Uke', 'Week'], month: ['Måned', 'Month'] },
    compare: {
      dates: ['Sammenlign med samme datoer i fjor', 'Compare with the same dates last year'],
      weekdays: ['Sammenlign med samme ukedager i fjor', 'Compare with the same weekdays last year'],
    },
    emptyCell: ['ingen tall', 'no figures'],
    missingCell: ['mangler', 'missing'],
    gridHint: [
      'Klikk på et tall, eller trykk Enter, for å endre det. Tab går til neste. Lim inn fra regneark i en celle.',
      'Click a figure, or press Enter, to change it. Tab goes to the next. Paste from a spreadsheet into a cell.',
    ],
    gridReadOnly: ['Klikk på en celle for å se poster og historikk.', 'Click a cell to see its records and history.'],
    saved: (count: number) => [
      pluralize(count, 'celle lagret', 'celler lagret'),
      pluralize(count, 'cell saved', 'cells saved'),
    ],
    notAnAmount: (typed: string) =>
      typed === ''
        ? ['En tom celle lagres ikke. Skriv et beløp, eller 0.', 'An empty cell is not saved. Enter an amount, or 0.']
        : [`Ikke lagret: «${typed}» er ikke et beløp.`, `Not saved: “${typed}” is not an amount.`],
    skipped: (count: number) => [
      `${pluralize(count, 'verdi', 'verdier')} ble ikke lagret: ikke et beløp, utenfor tabellen, eller en dag med flere poster.`,
      `${pluralize(count, 'value', 'values')} not saved: not an amount, outside the table, or a day with several records.`,
    ],
    conflict: ['Ikke lagret', 'Not saved'],
    history: ['Historikk', 'History'],
    records: ['Poster', 'Records'],
    firstRecords: (count: number) => [
      `De første ${count}. De neste vises når disse er ordnet.`,
      `The first ${count}. The next are shown when these are settled.`,
    ],
    recordCount: (count: number) => [pluralize(count, 'post', 'poster'), pluralize(count, 'record', 'records')],
    writtenBy: ['Skrevet av', 'Written by'],
    deleteRecord: ['Slett posten', 'Delete the record'],
    leading: ['gjelder', 'in use'],
    remark: materialFields.remark,
    changed: ['Endret', 'Changed'],
    previousAmount: ['Før', 'Before'],
    restore: ['Gjenopprett', 'Restore'],
    noHistory: ['Ingen endringer er registrert.', 'No changes are recorded.'],
    calendarHint: [
      'Mot det vanlige for ukedagen. Ruter med strek har ingen tall.',
      'Against the usual for the weekday. Squares with a line have no figures.',
    ],
    calendarSteps: [
      ['minst 30 % under', 'under', 'som vanlig', 'over', 'minst 30 % over'],
      ['30% or more below', 'below', 'as usual', 'above', '30% or more above'],
    ],
    againstUsual: (amount: string, share: string) => [`${amount} (${share})`, `${amount} (${share})`],
    calendarSummary: (year: string, sum: string, days: number) => [
      `${year}: ${sum} på ${pluralize(days, 'dag', 'dager')} med tall`,
      `${year}: ${sum} on ${pluralize(days, 'day', 'days')} with figures`,
    ],
    missingDays: (department: string, days: number) => [
      `${department} mangler ${pluralize(days, 'dag', 'dager')}`,
      `${pluralize(days, 'day', 'days')} missing in ${department}`,
    ],
    emptyTitle: ['Ingen omsetning ennå', 'No revenue yet'],
    emptyText: [
      'Tallene kommer når kassen eller en integrasjon sender dem, eller når du skriver dem i en celle.',
      'Revenue appears when a till or an integration sends it, or when you enter it in a cell.',
    ],
    noDepartmentText: [
      'Tallene kommer når kassen eller en integrasjon sender dem. Du kan skrive dem selv når registeret har en avdeling.',
      'Revenue appears when a till or an integration sends it. You can enter it yourself once the directory has a department.',
    ],
    addDepartment: ['Legg til en avdeling', 'Add a department'],
    actions: { sett: ['satt', 'set'], 'legg til': ['lagt til', 'added'], slett: ['slettet', 'deleted'] },
  },
})

export const useRevenueText = defineTranslation(revenueText)
