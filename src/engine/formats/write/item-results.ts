// Serializer of list results: one result per element, and the number of results by code.
import type { ItemResult } from '../../../errors/api-error.ts'
import { resultNames } from './wire-names.ts'
import type { Format } from '../negotiation/negotiate.ts'
import { xmlContainer, xmlDeclaration, xmlElements, xsi } from '../xml/xml-text.ts'

/** The whole body: one result per element in request order. */
export function serializeItemResults(results: readonly ItemResult[], format: Format): string {
  return format === 'json'
    ? `{${itemResultsJson(results)}}`
    : `${xmlDeclaration}<${resultNames.root}${xsi}>${itemResultsXml(results)}</${resultNames.root}>`
}

export function itemResultsJson(results: readonly ItemResult[]): string {
  const listed = results.map((one) => JSON.stringify(one)).join(',')
  const counts = JSON.stringify(Object.fromEntries(countsOf(results)))
  return `"${resultNames.results}":[${listed}],"${resultNames.counts}":${counts}`
}

export function itemResultsXml(results: readonly ItemResult[]): string {
  const { results: list, result, counts } = resultNames
  const listed = results.map((one) => xmlContainer(result, xmlElements(Object.entries(one))))
  return xmlContainer(list, listed.join('')) + xmlContainer(counts, xmlElements(countsOf(results)))
}

/** The number of results by code. */
export function countsOf(results: readonly { readonly code: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of results) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}
