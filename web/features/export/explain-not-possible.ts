// Why an action is not possible for a line.
import type { Judged } from '../../api/export.ts'
import type { ExportTexts } from '../../i18n/export.ts'

export function whyNot({ code, state, isCorrected }: Judged, say: ExportTexts): string {
  const { refusals } = say.export
  if (code === 'not_found' || state === null) return refusals.notFound
  return isCorrected ? refusals.corrected : refusals.states[state]
}
