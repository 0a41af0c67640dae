// Texts of the latency view in both languages; loaded with its chart.
import { defineSection } from '../../i18n/define-section.ts'

const nb = {
  title: 'Fra godkjent til hentet og eksportert',
  per: { label: 'Del opp etter', day: 'Dag', week: 'Uke' },
  from: 'fra',
  to: 'til',
  day: 'Godkjent',
  lines: 'Linjer',
  retrieved: 'Hentet',
  exported: 'Eksportert',
  retrievedMedian: 'Hentet, median',
  exportedMedian: 'Eksportert, median',
  slowest: 'Lengst, også det som venter',
  waiting: 'Venter',
  median: 'median',
  longest: 'lengst',
  waitingSince: (count: string, span: string) => `${count}, inntil ${span}`,
  none: '–',
  empty: 'Ingenting ble godkjent i perioden',
  emptyText: 'Velg en annen periode eller mottaker.',
  summary: (count: string) => (count === '1' ? '1 linje er godkjent.' : `${count} linjer er godkjent.`),
  summaryRetrieved: (median: string, longest: string) =>
    `Halvparten ble hentet innen ${median}, den seneste etter ${longest}.`,
  summaryExported: (median: string, longest: string) =>
    `Halvparten ble bokført innen ${median}, den seneste etter ${longest}.`,
  summaryWaiting: (count: string, notRetrieved: string, span: string) =>
    `${count} venter ennå, den eldste i ${span}; ${notRetrieved === '0' ? 'alle er hentet' : `${notRetrieved} av dem er ikke hentet`}.`,
  ofCompany: 'Ventetiden gjelder linjene i hele firmaet.',
  since: (day: string) => `Det er svært mange linjer i perioden. Tallene gjelder fra ${day}.`,
  scale: 'Skalaen er logaritmisk.',
}

type LatencyTexts = typeof nb

const en: LatencyTexts = {
  title: 'From approved to fetched and exported',
  per: { label: 'Group by', day: 'Day', week: 'Week' },
  from: 'from',
  to: 'to',
  day: 'Approved',
  lines: 'Lines',
  retrieved: 'Fetched',
  exported: 'Exported',
  retrievedMedian: 'Fetched, median',
  exportedMedian: 'Exported, median',
  slowest: 'Longest, including waiting lines',
  waiting: 'Waiting',
  median: 'median',
  longest: 'longest',
  waitingSince: (count, span) => `${count}, up to ${span}`,
  none: '–',
  empty: 'Nothing was approved in the period',
  emptyText: 'Choose another period or destination.',
  summary: (count) => (count === '1' ? '1 line is approved.' : `${count} lines are approved.`),
  summaryRetrieved: (median, longest) => `Half were fetched within ${median}, the last after ${longest}.`,
  summaryExported: (median, longest) => `Half were booked within ${median}, the last after ${longest}.`,
  summaryWaiting: (count, notRetrieved, span) =>
    `${count} still waiting, the oldest for ${span}; ${notRetrieved === '0' ? 'all have been fetched' : `${notRetrieved} of them have not been fetched`}.`,
  ofCompany: 'The waiting times are those of all lines of the company.',
  since: (day) => `The period has very many lines. The figures start at ${day}.`,
  scale: 'The scale is logarithmic.',
}

export const latencyText = defineSection({ latency: nb }, { latency: en })
