// KeyFigures: key figures compared with last year, linked to their days.
import type { KeyFigure } from '../../../src/app/contract/revenue.ts'
import { Link } from '@tanstack/react-router'
import type { ComparisonRule } from '../../api/days.ts'
import { periodParams } from '../../app/search-params.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  const { t, format } = useTranslation(revenueText)
  return (
    <dl className="figures">
      {figures.map(({ name, from, to, amount, before }) => (
        <div key={name}>
          <dt>
            <Link to="/app/omsetning" search={getSearch({ name, from, to })}>
              {t.revenue.figures[name]}
            </Link>
            <span className="muted">
              {from === to ? format.day(to) : `${format.day(from, 'dayMonth')} – ${format.day(to, 'dayMonth')}`}
            </span>
          </dt>
          <dd className="figure">{format.amount(amount)}</dd>
          <dd className="figure-note">
            <YearOverYear amount={amount} before={before.amount} />
            {before.amount !== null && (
              <>
                <span className="muted">{t.revenue.against(format.amount(before.amount))}</span>
                <span className="muted">{t.revenue.sameInLastYear[getRule(name)]}</span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** How the server compares it with last year. */
function getRule(name: KeyFigure['name']): ComparisonRule {
  return name === 'yesterday' || name === 'week' ? 'weekdays' : 'dates'
}

/** Short periods open the grid, long ones the chart. */
function getSearch({ name, from, to }: Pick<KeyFigure, 'name' | 'from' | 'to'>) {
  return name === 'yesterday' || name === 'week'
    ? ({ vis: 'dager', dag: to } as const)
    : ({ fra: from, til: to, per: periodParams[name === 'year' ? 'month' : 'day'] } as const)
}
