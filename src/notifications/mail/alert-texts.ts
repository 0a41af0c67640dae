// What alarms say. Who reads them has chosen no language, so each says it in both.
import { letterOf, type Letter, type Paragraph } from './message.ts'
import { momentIn } from './format-time.ts'
import type { Language } from '../../errors/messages.ts'

export interface Alarmed {
  readonly company: string
  readonly zone: string
  /** Of the server; '' where it has no public name. */
  readonly address: string
}

export interface Silent extends Alarmed {
  /** Of the integration. */
  readonly name: string
  readonly hours: number
  /** Microseconds. */
  readonly heardAt: number
}

export function silentLetter(to: string, told: Silent): Letter {
  const { name, company, hours } = told
  const moment = (language: Language) => momentIn(language, told.zone, told.heardAt)
  return letterOf(to, `${company}: ${name} er stille / is silent`, [
    `${name} skulle høres minst hver ${hours}. time, og har ikke vært hørt siden ${moment('nb')}. Det kommer ikke flere brev om denne stillheten.`,
    `${name} should be heard of every ${hours} hours, and was not since ${moment('en')}. No further letter comes about this silence.`,
    ...linkTo(told, '/app/administrasjon'),
  ])
}

export interface TooLong extends Alarmed {
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  readonly oldestAt: number
  readonly hours: number
}

export function waitingLetter(to: string, told: TooLong): Letter {
  const { company, count, hours, amount } = told
  const moment = (language: Language) => momentIn(language, told.zone, told.oldestAt)
  const sum = (language: Language) =>
    new Intl.NumberFormat(language === 'nb' ? 'nb-NO' : 'en-GB', {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }).format(amount / 10_000)
  return letterOf(to, `${company}: ${count} linjer venter på eksport / lines wait for export`, [
    `${count} godkjente linjer til ${sum('nb')} har ventet mer enn ${hours} timer på å bli hentet og meldt inntatt, den eldste siden ${moment('nb')}. Det kommer ikke flere brev før alle er borte.`,
    `${count} approved lines of ${sum('en')} have waited more than ${hours} hours to be fetched and reported, the oldest since ${moment('en')}. No further letter comes until all are gone.`,
    ...linkTo(told, '/app/eksport'),
  ])
}

function linkTo({ address }: Alarmed, path: string): Paragraph[] {
  return address === '' ? [] : [{ link: address + path }]
}
