// Why an action is not possible for a line.
import type { LineActionPreview } from '../../../src/app/contract/export.ts'
import type { ExportTexts } from '../../i18n/export.ts'

export function explainNotPossible({ code, state, isCorrected }: LineActionPreview, t: ExportTexts): string {
  const { notPossible } = t.export
  if (code === 'not_found' || state === null) return notPossible.notFound
  return isCorrected ? notPossible.corrected : notPossible.states[state]
}
