// Serializer of list results: one result per element, and the number of results by code.
import type { ItemResult, ItemResultValue } from '../../../errors/api-error.ts'
import { resultNames } from './wire-names.ts'
import type { Format } from '../negotiation/negotiate.ts'
import { xmlDeclaration, xmlElement, xsi } from '../xml/xml-text.ts'

/** The whole body: one result per element in request order. */
export function serializeItemResults(results: readonly ItemResult[], format: Format): string {
  return format === 'json'
    ? `{${itemResultsJson(results)}}`
    : `${xmlDeclaration}<${resultNames.answer}${xsi}>${itemResultsXml(results)}</${resultNames.answer}>`
}

export function itemResultsJson(results: readonly ItemResult[]): string {
  const listed = results.map((one) => JSON.stringify(one)).join(',')
  const counts = JSON.stringify(Object.fromEntries(countsOf(results)))
  return `"${resultNames.results}":[${listed}],"${resultNames.counts}":${counts}`
}

export function itemResultsXml(results: readonly ItemResult[]): string {
  const listed = results.map((one) =>
    xmlWrapped(resultNames.result, xmlMembers(Object.entries(one))),
  )
  const counts = xmlMembers([...countsOf(results)])
  return xmlWrapped(resultNames.results, listed.join('')) + xmlWrapped(resultNames.counts, counts)
}

function xmlMembers(entries: readonly (readonly [string, ItemResultValue])[]): string {
  return entries
    .map(([name, value]) => xmlElement(name, value === null ? null : String(value)))
    .join('')
}

function xmlWrapped(name: string, inside: string): string {
  return `<${name}>${inside}</${name}>`
}

function countsOf(results: readonly ItemResult[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of results) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}
