// YearOverYear: percentage change from last year, with sign and colour.
import { useTranslation } from '../i18n/translation.ts'

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
  // Less than one per cent counts as unchanged.
  const direction = Math.abs(share) < 0.01 ? 'level' : share > 0 ? 'above' : 'below'
  return <span className={direction}>{format.percentChange(share, places)}</span>
}
