// Results of an error: one result per element, and the number of results by code.
import type { ItemResult } from '../../../errors/api-error.ts'
import { resultNames } from './wire-names.ts'
import { xmlContainer, xmlElements } from '../xml/xml-text.ts'

export function itemResultsJson(results: readonly ItemResult[]): string {
  const listed = results.map((one) => JSON.stringify(one)).join(',')
  const counts = JSON.stringify(Object.fromEntries(countsOf(results)))
  return `"${resultNames.results}":[${listed}],"${resultNames.counts}":${counts}`
}

export function itemResultsXml(results: readonly ItemResult[]): string {
  const { results: list, counts } = resultNames
  const listed = results.map(itemResultXml).join('')
  return xmlContainer(list, listed) + xmlContainer(counts, xmlElements(countsOf(results)))
}

export function itemResultXml(result: ItemResult): string {
  return xmlContainer(resultNames.result, xmlElements(Object.entries(result)))
}

export function countsOf(results: readonly { readonly code: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of results) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}
