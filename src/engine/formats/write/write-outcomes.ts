// Serializer of list results: one result per element, and the number of results by code.
import type { Result, ResultValue } from '../../../errors/catalog.ts'
import { resultWords } from './wire-names.ts'
import type { Format } from '../negotiation/negotiate.ts'
import { xmlDeclaration, xmlElement, xsi } from '../xml/xml-text.ts'

/** The whole body: one result per element in request order. */
export function writeOutcomes(results: readonly Result[], format: Format): string {
  return format === 'json'
    ? `{${jsonOutcomes(results)}}`
    : `${xmlDeclaration}<${resultWords.answer}${xsi}>${xmlOutcomes(results)}</${resultWords.answer}>`
}

export function jsonOutcomes(results: readonly Result[]): string {
  const listed = results.map((one) => JSON.stringify(one)).join(',')
  const counts = JSON.stringify(Object.fromEntries(countsOf(results)))
  return `"${resultWords.results}":[${listed}],"${resultWords.counts}":${counts}`
}

export function xmlOutcomes(results: readonly Result[]): string {
  const listed = results.map((one) => wrapped(resultWords.result, members(Object.entries(one))))
  const counts = members([...countsOf(results)])
  return wrapped(resultWords.results, listed.join('')) + wrapped(resultWords.counts, counts)
}

function members(entries: readonly (readonly [string, ResultValue])[]): string {
  return entries
    .map(([name, value]) => xmlElement(name, value === null ? null : String(value)))
    .join('')
}

function wrapped(name: string, inside: string): string {
  return `<${name}>${inside}</${name}>`
}

function countsOf(results: readonly Result[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of results) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}
