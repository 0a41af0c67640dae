// Import templates: a CSV file with the headers of all importable fields of a set.
import { columnHeadersOf } from '../model/import-headers.ts'
import type { Resource } from '../engine/model/resource.ts'
import type { Language } from '../errors/messages.ts'
import { byteOrderMark, csvLine } from '../engine/formats/csv/csv.ts'

/** One line of CSV. */
export function templateText(resource: Resource, language: Language): string {
  const headers = Object.values(columnHeadersOf(resource)).map(([nb, en]) => (language === 'nb' ? nb : en))
  return byteOrderMark + csvLine(headers)
}
