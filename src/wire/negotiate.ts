// In which format and language an answer leaves, by what the caller says it can read.
import type { Language } from '#phrases.ts'
import { readWishes, type Wish } from '#wire/header-list.ts'

export type Format = 'json' | 'xml'

export type ErrorFormat = Format | 'problem'

/**
 * JSON, but where XML is named and wanted more than JSON. A caller that names `text/html` is a browser, which
 * asks for XML by habit and shows JSON better. There is no 406: whatever else is asked for is answered in JSON.
 */
export const formatFor = (accept: string | undefined): Format =>
  prefersXml(readWishes(accept ?? '')) ? 'xml' : 'json'

/**
 * Refusals follow the same rule; `application/problem+json` (RFC 9457) where it is wanted no less than the
 * others. Who says nothing about answers but sends XML is refused in XML.
 */
export const errorFormat = (
  accept: string | undefined,
  contentType: string | undefined,
): ErrorFormat => {
  const wishes = readWishes(accept ?? '')
  if (wishes.every(({ name }) => name === '*/*'))
    return isXml(contentType?.split(';')[0]?.trim().toLowerCase() ?? '') ? 'xml' : 'json'
  const format = prefersXml(wishes) ? 'xml' : 'json'
  const problem = weightOf(wishes, 'application/problem+json')
  const other = format === 'xml' ? weightOfXml(wishes) : weightOf(wishes, 'application/json')
  return problem > 0 && problem >= other ? 'problem' : format
}

/** Norwegian where it is wanted more than English; both written forms are answered in Bokmål. */
export const languageOf = (acceptLanguage: string | undefined): Language => {
  let best: Wish | undefined
  for (const wish of readWishes(acceptLanguage ?? '')) {
    if (languageNamed(wish.name) !== undefined && wish.weight > (best?.weight ?? 0)) best = wish
  }
  return (best && languageNamed(best.name)) ?? 'en'
}

const prefersXml = (wishes: readonly Wish[]): boolean => {
  if (wishes.some(({ name, weight }) => name === 'text/html' && weight > 0)) return false
  return weightOfXml(wishes) > weightOf(wishes, 'application/json', 'application/*', '*/*')
}

const weightOfXml = (wishes: readonly Wish[]): number =>
  Math.max(weightOf(wishes, 'application/xml'), weightOf(wishes, 'text/xml'))

/** The weight of the first of these ranges that was named: from the narrowest to the widest. */
const weightOf = (wishes: readonly Wish[], ...ranges: string[]): number => {
  for (const range of ranges) {
    const wish = wishes.find(({ name }) => name === range)
    if (wish !== undefined) return wish.weight
  }
  return 0
}

const isXml = (mediaType: string): boolean =>
  mediaType === 'application/xml' || mediaType === 'text/xml'

const languageNamed = (tag: string): Language | undefined => languages.get(tag.split('-')[0] ?? '')

const languages = new Map<string, Language>([
  ['nb', 'nb'],
  ['nn', 'nb'],
  ['no', 'nb'],
  ['en', 'en'],
])
