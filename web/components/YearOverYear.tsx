// YearOverYear: percentage change from last year, with sign and colour.
import { shareText } from '../api/format.ts'
import { useText } from '../i18n/translation.tsx'

interface DeviationProps {
  readonly amount: number | null
  readonly before: number | null
  /** Decimals of the percentage. */
  readonly places?: number
}

export function Deviation({ amount, before, places = 1 }: DeviationProps) {
  const { say, language } = useText()
  if (amount === null || before === null || before === 0)
    return <span className="muted">{before === null ? say.revenue.noBefore : say.none}</span>
  const share = (amount - before) / Math.abs(before)
  return <span className={classOf(share)}>{shareText(share, language, places)}</span>
}

/** Less than one per cent counts as unchanged. */
function classOf(share: number): string {
  return Math.abs(share) < 0.01 ? 'level' : share > 0 ? 'above' : 'below'
}
