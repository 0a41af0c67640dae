// The field of each column of a file: which ones are chosen at first, and what is wrong with a choice.
import type { AppliedMapping, FileColumns, ImportedSet } from '../../../src/app/contract/imports.ts'
import type { Language } from '../../../src/app/contract/session.ts'
import { readRememberedFields } from './api.ts'
import type { Texts } from '../../i18n/frame.ts'
import type { ImportTexts } from './i18n.ts'

/** A saved mapping for these headers wins over the last choice, and that over a guess. */
export function getInitialFields(
  set: ImportedSet,
  { headers, guessed, fields }: FileColumns,
  taken: AppliedMapping | null,
): string[] {
  if (taken !== null) return taken.fields.map((field) => field ?? '')
  const remembered = readRememberedFields(set)
  const known = new Set(fields.map(({ wire }) => wire))
  const used = new Set<string>()
  return headers.map((header, index) => {
    const field = remembered.get(header) ?? guessed[index] ?? ''
    if (!known.has(field) || used.has(field)) return ''
    used.add(field)
    return field
  })
}

/** Required fields without a column, and fields with two. */
export function findProblems(
  { needs, fields: known }: FileColumns,
  fields: readonly string[],
  { t, language }: { readonly t: ImportTexts & Pick<Texts, 'states'>; readonly language: Language },
): string[] {
  const title = (wire: string) => known.find((field) => field.wire === wire)?.[language] ?? wire
  const missing = needs.filter((group) => !group.some((wire) => fields.includes(wire)))
  const twice = new Set(fields.filter((wire, index) => wire !== '' && fields.indexOf(wire) < index))
  return [
    ...missing.map((group) => t.imports.missing(group.map(title).join(t.states.or))),
    ...[...twice].map((wire) => t.imports.twice(title(wire))),
  ]
}
