// Texts of the latency view in both languages; loaded with its chart.
import { pluralize } from '../../i18n/plural.ts'
import { defineSection, defineTranslation } from '../../i18n/translation.ts'
import { revenueText } from '../../i18n/revenue.ts'

const latencyText = defineSection({
  latency: {
    title: ['Fra godkjent til hentet og eksportert', 'From approved to fetched and exported'],
    per: { label: ['Del opp etter', 'Group by'], day: ['Dag', 'Day'], week: ['Uke', 'Week'] },
    day: ['Godkjent', 'Approved'],
    retrieved: ['Hentet', 'Fetched'],
    exported: ['Eksportert', 'Exported'],
    slowest: ['Lengst, også det som venter', 'Longest, including waiting lines'],
    waiting: ['Venter', 'Waiting'],
    median: ['median', 'median'],
    longest: ['lengst', 'longest'],
    waitingSince: (count: string, span: string) => [`${count}, inntil ${span}`, `${count}, up to ${span}`],
    empty: ['Ingenting ble godkjent i perioden', 'Nothing was approved in the period'],
    emptyText: ['Velg en annen periode eller mottaker.', 'Choose another period or receiver.'],
    summary: (count: string) => [
      pluralize(count, 'linje ble godkjent.', 'linjer ble godkjent.'),
      pluralize(count, 'line was approved.', 'lines were approved.'),
    ],
    summaryRetrieved: (median: string, longest: string) => [
      `Halvparten ble hentet innen ${median}, den seneste etter ${longest}.`,
      `Half were fetched within ${median}, the last after ${longest}.`,
    ],
    summaryExported: (median: string, longest: string) => [
      `Halvparten ble bokført innen ${median}, den seneste etter ${longest}.`,
      `Half were booked within ${median}, the last after ${longest}.`,
    ],
    summaryWaiting: (count: string, notRetrieved: string, span: string) => [
      `${count} venter ennå, den eldste i ${span}; ${notRetrieved === '0' ? 'alle er hentet' : `${notRetrieved} av dem er ikke hentet`}.`,
      `${count} still waiting, the oldest for ${span}; ${notRetrieved === '0' ? 'all have been fetched' : `${notRetrieved} of them have not been fetched`}.`,
    ],
    ofCompany: [
      'Ventetiden gjelder linjene i hele firmaet.',
      'The waiting times are those of all lines of the company.',
    ],
    since: (day: string) => [
      `Det er svært mange linjer i perioden. Tallene gjelder fra ${day}.`,
      `The period has very many lines. The figures start at ${day}.`,
    ],
    scale: ['Skalaen er logaritmisk.', 'The scale is logarithmic.'],
  },
})

export const useLatencyText = defineTranslation(latencyText, revenueText)
