// Content negotiation: format and language of a reply by Accept and Accept-Language.
import type { Language } from '../../../errors/messages.ts'
import { LeastRecentlyUsed } from '../../../lib/least-recently-used.ts'
import { parseWeightedList, type WeightedValue } from './header-list.ts'
import { oldJsonType } from './media-type.ts'

export type Format = 'json' | 'xml'

export type ErrorFormat = Format | 'problem'

/**
 * JSON, unless XML is named and preferred to JSON. A client that names `text/html` is a browser, which
 * lists XML by default and shows JSON better. Any other request gets JSON; only `negotiateJsonFormat`, below the OData
 * service roots, throws `NotAcceptable`.
 */
export function negotiateFormat(accept = ''): Format {
  const known = formatsByAccept.get(accept)
  if (known !== undefined) return known
  const format = prefersXml(parseWeightedList(accept)) ? 'xml' : 'json'
  if (accept.length <= acceptLengthMax) formatsByAccept.set(accept, format)
  return format
}

/** A client sends the same header with each request. */
const formatsByAccept = new LeastRecentlyUsed<string, Format>(100)
const acceptLengthMax = 200

/**
 * Errors follow the same rule; `application/problem+json` (RFC 9457) where it is preferred at least as much as the
 * others. A client that sends XML without a usable Accept gets errors in XML.
 */
export function negotiateErrorFormat(accept: string | undefined, contentType: string | undefined): ErrorFormat {
  const acceptedValues = parseWeightedList(accept ?? '')
  if (acceptedValues.every(({ name }) => name === '*/*'))
    return /^\s*(?:application|text)\/xml\s*(?:;|$)/i.test(contentType ?? '') ? 'xml' : 'json'
  const format = prefersXml(acceptedValues) ? 'xml' : 'json'
  const problem = weightOf(acceptedValues, 'application/problem+json')
  const other = format === 'xml' ? weightOfXml(acceptedValues) : weightOf(acceptedValues, ...jsonTypes)
  return problem > 0 && problem >= other ? 'problem' : format
}

/** Whether the client is a browser: HTML is named, and preferred to JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  const acceptedValues = parseWeightedList(accept ?? '')
  return weightOf(acceptedValues, 'text/html') > weightOf(acceptedValues, ...jsonTypes)
}

/** Norwegian where it is preferred to English; Nynorsk gets Bokmål too. */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  let best: WeightedValue | undefined
  for (const accepted of parseWeightedList(acceptLanguage ?? '')) {
    if (languageOfTag(accepted.name) !== undefined && accepted.weight > (best?.weight ?? 0)) best = accepted
  }
  return (best && languageOfTag(best.name)) ?? 'en'
}

function prefersXml(acceptedValues: readonly WeightedValue[]): boolean {
  if (acceptedValues.some(({ name, weight }) => name === 'text/html' && weight > 0)) return false
  return weightOfXml(acceptedValues) > weightOf(acceptedValues, ...jsonTypes, 'application/*', '*/*')
}

const jsonTypes = ['application/json', oldJsonType] as const

function weightOfXml(acceptedValues: readonly WeightedValue[]): number {
  return Math.max(weightOf(acceptedValues, 'application/xml'), weightOf(acceptedValues, 'text/xml'))
}

/** The weight of the first of these ranges that is named; callers pass them from the most specific on. */
function weightOf(acceptedValues: readonly WeightedValue[], ...ranges: string[]): number {
  for (const range of ranges) {
    const accepted = acceptedValues.find(({ name }) => name === range)
    if (accepted !== undefined) return accepted.weight
  }
  return 0
}

function languageOfTag(tag: string): Language | undefined {
  return languages.get(tag.split('-')[0] ?? '')
}

const languages = new Map<string, Language>([
  ['nb', 'nb'],
  ['nn', 'nb'],
  ['no', 'nb'],
  ['en', 'en'],
])
