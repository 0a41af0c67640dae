// Alert texts, each in Norwegian and English because the language of the reader is unknown.
import { renderMessage, type MailMessage, type Paragraph } from './message.ts'
import { formatTime } from './format-time.ts'
import type { Language } from '../../errors/messages.ts'

export interface AlertDetails {
  readonly company: string
  readonly zone: string
  /** Base URL of the server; '' when it has no public URL. */
  readonly address: string
}

export interface SilentIntegration extends AlertDetails {
  /** Name of the integration. */
  readonly name: string
  readonly hours: number
  /** Microseconds. */
  readonly lastCallAt: number
}

export function silentIntegrationMessage(to: string, alert: SilentIntegration): MailMessage {
  const { name, company, hours } = alert
  const time = (language: Language) => formatTime(language, alert.zone, alert.lastCallAt)
  return renderMessage(to, `${company}: ${name} er stille / is silent`, [
    `${name} skal kalle API-et minst hver ${hours}. time. Siste vellykkede kall var ${time('nb')}. Du får ikke flere meldinger før integrasjonen har kalt igjen.`,
    `${name} should call the API at least every ${hours} hours. Its last successful call was on ${time('en')}. You will get no further message until it has called again.`,
    ...linkTo(alert, '/app/administrasjon'),
  ])
}

export interface StalledExport extends AlertDetails {
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  readonly oldestAt: number
  readonly hours: number
}

export function stalledExportMessage(to: string, alert: StalledExport): MailMessage {
  const { company, count, hours, amount } = alert
  const time = (language: Language) => formatTime(language, alert.zone, alert.oldestAt)
  const sum = (language: Language) =>
    new Intl.NumberFormat(language === 'nb' ? 'nb-NO' : 'en-GB', {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }).format(amount / 10_000)
  return renderMessage(to, `${company}: ${count} linjer venter på eksport / lines wait for export`, [
    `${count} godkjente linjer til ${sum('nb')} har ventet mer enn ${hours} timer på å bli hentet og meldt eksportert, den eldste siden ${time('nb')}. Du får ikke flere meldinger før alle er eksportert.`,
    `${count} approved lines totalling ${sum('en')} have waited more than ${hours} hours to be fetched and reported as exported, the oldest since ${time('en')}. You will get no further message until all are exported.`,
    ...linkTo(alert, '/app/eksport'),
  ])
}

function linkTo({ address }: AlertDetails, path: string): Paragraph[] {
  return address === '' ? [] : [{ link: address + path }]
}
