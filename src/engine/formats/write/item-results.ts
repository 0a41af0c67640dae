// Serializer of results: one per element of a list, and the number of elements by code (ADR 0007).
import type { ItemResult } from '../../../errors/api-error.ts'
import type { Format } from '../negotiation/negotiate.ts'
import { xmlContainer, xmlDeclaration, xmlElements, xsi } from '../xml/xml-text.ts'
import { ListWriter, serializeList, type ListFrame, type SerializedText } from './long-list.ts'
import { resultNames } from './wire-names.ts'

/** `enclosing` is written around them: members of an object, or elements in XML. */
export function serializeItemResults(
  results: readonly ItemResult[],
  format: Format,
  enclosing?: Enclosing,
): Promise<SerializedText> {
  const serialize = format === 'json' ? (one: ItemResult) => JSON.stringify(one) : itemResultXml
  return serializeList(results, new ListWriter(results.length, serialize, resultsFrame(results, format, enclosing)))
}

interface Enclosing {
  readonly start: string
  readonly end: string
}

export function resultsFrame(
  results: readonly { readonly code: string }[],
  format: Format,
  { start, end } = ownReply[format],
): ListFrame {
  const { results: list, counts: byCode } = resultNames
  const counts = new Map<string, number>()
  for (const { code } of results) counts.set(code, (counts.get(code) ?? 0) + 1)
  return format === 'json'
    ? {
        start: `${start}"${list}":[`,
        between: ',',
        end: `],"${byCode}":${JSON.stringify(Object.fromEntries(counts))}${end}`,
      }
    : { start: `${start}<${list}>`, between: '', end: `</${list}>${xmlContainer(byCode, xmlElements(counts))}${end}` }
}

const { root } = resultNames
const ownReply: Readonly<Record<Format, Enclosing>> = {
  json: { start: '{', end: '}' },
  xml: { start: `${xmlDeclaration}<${root}${xsi}>`, end: `</${root}>` },
}

function itemResultXml(result: ItemResult): string {
  return xmlContainer(resultNames.result, xmlElements(Object.entries(result)))
}
