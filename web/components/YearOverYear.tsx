// YearOverYear: percentage change from last year, with sign and colour.
import { useTranslation } from '../i18n/translation.tsx'

interface YearOverYearProps {
  readonly amount: number | null
  readonly before: number | null
  /** Decimals of the percentage. */
  readonly places?: number
}

export function YearOverYear({ amount, before, places = 1 }: YearOverYearProps) {
  const { t, format } = useTranslation()
  if (amount === null || before === null || before === 0)
    return <span className="muted">{before === null ? t.revenue.noPreviousYear : t.none}</span>
  const share = (amount - before) / Math.abs(before)
  return <span className={classOf(share)}>{format.percentChange(share, places)}</span>
}

/** Less than one per cent counts as unchanged. */
function classOf(share: number): string {
  return Math.abs(share) < 0.01 ? 'level' : share > 0 ? 'above' : 'below'
}
