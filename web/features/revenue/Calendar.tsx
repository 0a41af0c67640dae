// Calendar: a square per day, coloured by its deviation from the usual amount of the weekday.
import type { RevenueOverview } from '../../../src/app/contract/revenue.ts'
import { Link } from '@tanstack/react-router'
import { listDays, getMonday, addDays, getWeekday } from '../../api/days.ts'
import { useRevenueText } from '../../i18n/revenue.ts'
import styles from './Calendar.module.css'

export function Calendar({ overview }: { overview: RevenueOverview }) {
  const { t } = useRevenueText()
  const year = Number(overview.today.slice(0, 4))
  return (
    <>
      <p className={styles.legend}>
        {t.revenue.calendarHint}
        {t.revenue.calendarSteps.map((name, step) => (
          <span key={name}>
            <span className={styles.square} data-step={step} /> {name}
          </span>
        ))}
      </p>
      <Year year={year} overview={overview} />
      {overview.days.some(({ date }) => date.startsWith(String(year - 1))) && (
        <Year year={year - 1} overview={overview} />
      )}
    </>
  )
}

function Year({ year, overview }: { year: number; overview: RevenueOverview }) {
  const { t, format } = useRevenueText()
  const first = `${year}-01-01`
  const last = `${year}-12-31`
  const days = overview.days.filter(({ date }) => date >= first && date <= last)
  const amounts = new Map(days.map(({ date, amount }) => [date, amount]))
  const usual = getUsualAmounts(days)
  const sum = days.reduce((total, { amount }) => total + amount, 0)
  const start = getMonday(first)
  const months = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}-01`)
  // Where the year is too wide, it is laid out in blocks of `--weeks`; the first column has the weekday names.
  const placeOf = (day: string, row = getWeekday(day) + 2) => {
    const week = Math.round((Date.parse(getMonday(day)) - Date.parse(start)) / 604_800_000)
    return {
      gridColumn: `calc(mod(${week}, var(--weeks)) + 2)`,
      gridRow: `calc(round(down, ${week} / var(--weeks), 1) * ${blockRows} + ${row})`,
    }
  }
  return (
    <section className={styles.year} aria-labelledby={`year-${year}`}>
      <h2 id={`year-${year}`}>{t.revenue.calendarSummary(String(year), format.amount(sum), days.length)}</h2>
      <div className={styles.days}>
        {listDays(first, last).map((day) => {
          const amount = amounts.get(day)
          const isFuture = day >= overview.today
          const usualAmount = usual[getWeekday(day)] ?? 0
          const share = amount === undefined || usualAmount <= 0 ? 0 : (amount - usualAmount) / usualAmount
          const label = `${format.day(day)}: ${amount === undefined ? t.revenue.emptyCell : t.revenue.againstUsual(format.amount(amount), format.percentChange(share, 0))}`
          if (isFuture) return <span key={day} className={styles.future} style={placeOf(day)} />
          return (
            <Link
              key={day}
              to="/app/omsetning"
              search={{ vis: 'dager', dag: day }}
              className={amount === undefined ? styles.nothing : styles.square}
              data-step={amount === undefined ? undefined : stepLimits.filter((limit) => share >= limit).length}
              style={placeOf(day)}
              title={label}
              aria-label={label}
              tabIndex={day.endsWith('-01') ? 0 : -1}
            />
          )
        })}
        {blocks.flatMap((block) =>
          namedWeekdays.map((weekday) => (
            <span
              key={`${block} ${weekday}`}
              className={styles.weekday}
              data-block={block}
              style={{ gridColumn: 1, gridRow: block * blockRows + weekday + 2 }}
            >
              {format.day(addDays(start, weekday), 'weekday')}
            </span>
          )),
        )}
        {months.map((month) => (
          <span key={month} className={styles.month} style={placeOf(month, 1)}>
            {format.day(month, 'month')}
          </span>
        ))}
      </div>
    </section>
  )
}

/** As many as a phone has; wider screens have two or one. */
const blocks = [0, 1, 2, 3]

/** The names of the months, and seven weekdays. */
const blockRows = 8

/** Every second one: names are as low as the squares. */
const namedWeekdays = [0, 2, 4, 6]

/** The usual amount of each weekday, Monday first: the median of these days. */
function getUsualAmounts(days: RevenueOverview['days']): readonly number[] {
  return Array.from({ length: 7 }, (_, weekday) => {
    const amounts = days.filter(({ date }) => getWeekday(date) === weekday)
    const sorted = amounts.map(({ amount }) => amount).toSorted((one, other) => one - other)
    return sorted[Math.floor(sorted.length / 2)] ?? 0
  })
}

/** Colours are from 0, far below the usual, to 4, far above. */
const stepLimits = [-0.3, -0.1, 0.1, 0.3]
