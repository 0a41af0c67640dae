// KeyFigures: key figures compared with last year, linked to their days.
import { Link } from '@tanstack/react-router'
import { periodParams } from '../../app/search-params.ts'
import { amountText, dayText } from '../../api/format.ts'
import type { Figure } from '../../api/revenue.ts'
import { Deviation } from '../../components/YearOverYear.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'

export function Figures({ figures }: { figures: readonly Figure[] }) {
  const { say, language } = useText(revenueText)
  return (
    <dl className="figures">
      {figures.map(({ name, from, to, amount, before }) => (
        <div key={name}>
          <dt>
            <Link to="/app/omsetning" search={searchOf({ name, from, to })}>
              {say.revenue.figures[name]}
            </Link>
            <span className="muted">
              {from === to
                ? dayText(to, language)
                : `${dayText(from, language, 'dayMonth')} – ${dayText(to, language, 'dayMonth')}`}
            </span>
          </dt>
          <dd className="figure">{amount === null ? say.none : amountText(amount, language)}</dd>
          <dd className="figure-note">
            <Deviation amount={amount} before={before.amount} />
            {before.amount !== null && (
              <span className="muted">
                {say.revenue.before} {amountText(before.amount, language)}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Short periods open the grid, long ones the chart. */
function searchOf({ name, from, to }: Pick<Figure, 'name' | 'from' | 'to'>) {
  return name === 'yesterday' || name === 'week'
    ? ({ vis: 'dager', dag: to } as const)
    : ({ fra: from, til: to, per: periodParams[name === 'year' ? 'month' : 'day'] } as const)
}
