// Calendar: a square per day, darker for more revenue, struck through without any.
import type { RevenueOverview } from '../../../src/app/contract/revenue.ts'
import { Link } from '@tanstack/react-router'
import { listDays, getMonday, addDays, getWeekday } from '../../api/days.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import './Calendar.css'

export function Calendar({ overview }: { overview: RevenueOverview }) {
  const { t } = useTranslation(revenueText)
  const year = Number(overview.today.slice(0, 4))
  return (
    <>
      <p className="muted hint">{t.revenue.calendarHint}</p>
      <Year year={year} overview={overview} />
      <Year year={year - 1} overview={overview} />
    </>
  )
}

function Year({ year, overview }: { year: number; overview: RevenueOverview }) {
  const { t, format } = useTranslation(revenueText)
  const first = `${year}-01-01`
  const last = `${year}-12-31`
  const days = overview.days.filter(({ date }) => date >= first && date <= last)
  const amounts = new Map(days.map(({ date, amount }) => [date, amount]))
  const steps = getColourSteps(days.map(({ amount }) => amount))
  const sum = days.reduce((total, { amount }) => total + amount, 0)
  const start = getMonday(first)
  // The first column has the weekday names.
  const columnOf = (day: string) =>
    Math.round((Date.parse(getMonday(day)) - Date.parse(start)) / 604_800_000) + 2
  return (
    <section className="year" aria-labelledby={`year-${year}`}>
      <h2 id={`year-${year}`}>
        {t.revenue.calendarSummary(String(year), format.amount(sum), days.length)}
      </h2>
      <div className="year-days">
        {listDays(first, last).map((day) => {
          const amount = amounts.get(day)
          const isFuture = day >= overview.today
          const label = `${format.day(day)}: ${amount === undefined ? t.revenue.emptyCell : format.amount(amount)}`
          const gridPlacement = {
            gridColumn: columnOf(day),
            gridRow: getWeekday(day) + 2,
          }
          if (isFuture)
            return <span key={day} className="day-square future" style={gridPlacement} />
          return (
            <Link
              key={day}
              to="/app/omsetning"
              search={{ vis: 'dager', dag: day }}
              className={`day-square ${amount === undefined ? 'nothing' : `step-${getColourStep(amount, steps)}`}`}
              style={gridPlacement}
              title={label}
              aria-label={label}
              tabIndex={day.endsWith('-01') ? 0 : -1}
            />
          )
        })}
        {namedWeekdays.map((weekday) => (
          <span
            key={weekday}
            className="weekday-name"
            style={{ gridColumn: 1, gridRow: weekday + 2 }}
          >
            {format.day(addDays(start, weekday), 'weekday')}
          </span>
        ))}
        {listMonths(year).map((month) => (
          <span
            key={month}
            className="month-name"
            style={{ gridColumn: `${columnOf(month)} / span 4`, gridRow: 1 }}
          >
            {format.day(month, 'month')}
          </span>
        ))}
      </div>
    </section>
  )
}

/** Every second one: names are as low as the squares. */
const namedWeekdays = [0, 2, 4, 6]

function listMonths(year: number): string[] {
  return Array.from(
    { length: 12 },
    (_, index) => `${year}-${String(index + 1).padStart(2, '0')}-01`,
  )
}

/** Quintiles of the daily amounts. */
function getColourSteps(amounts: readonly number[]): readonly number[] {
  const sorted = amounts.toSorted((one, other) => one - other)
  return [0.2, 0.4, 0.6, 0.8].map((share) => sorted[Math.floor(sorted.length * share)] ?? 0)
}

function getColourStep(amount: number, steps: readonly number[]): number {
  return steps.filter((limit) => amount >= limit).length
}
