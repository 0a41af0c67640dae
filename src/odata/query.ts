// The query string becomes named values: decoded, each name once, and only names that the route knows.
import { Fault } from '#faults.ts'
import { phrase, type PhraseCode } from '#phrases.ts'
import { lettersBetween, nearest } from '#lib/nearest.ts'
import { decodeText } from '#odata/decode.ts'
import { shown } from '#odata/option.ts'

/** Decoded and trimmed values under the names as the route declares them, and of aliases under theirs. */
export type Query = ReadonlyMap<string, string>

/** The parameters of one route. Options are declared with their `$` and read with or without it. */
export interface KnownParameters {
  readonly names: readonly string[]
  /** What becomes of a name that is not declared: reads let it pass unless it looks mistyped. */
  readonly strays: 'ignored' | 'refused'
  readonly nameByLowerCase: ReadonlyMap<string, string>
  /** In lower case and without `$`: what a mistyped name is held against. */
  readonly bareNames: readonly string[]
}

/** Made once per route. */
export const knownParameters = (
  names: readonly string[],
  strays: KnownParameters['strays'],
): KnownParameters => ({
  names,
  strays,
  bareNames: names.map((name) => bare(name.toLowerCase())),
  nameByLowerCase: new Map(
    names.flatMap((name) => {
      const lower = name.toLowerCase()
      return [
        [lower, name],
        [bare(lower), name],
      ]
    }),
  ),
})

/**
 * Reads the query string as it stands in the request line, without `?`: one character is one byte, `+` is a
 * blank, names come in any letter case. Refuses what cannot be decoded, what comes twice and what is unknown.
 */
export const parseQuery = (search: string, known: KnownParameters): Query => {
  const values = new Map<string, string>()
  // Most requests have no strays; the set is made for the first of them.
  let strays: Set<string> | undefined
  for (const part of search.split('&')) {
    const equals = part.indexOf('=')
    const written = decode(equals === -1 ? part : part.slice(0, equals))
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), written)
    if (written === '' && value === '') continue

    const lower = written.toLowerCase()
    const name = known.nameByLowerCase.get(lower)
    if (name === undefined && isAlias(written) && known.strays === 'ignored') {
      if (values.has(written)) throw duplicate(written)
      values.set(written, value)
    } else if (name === undefined) {
      refuseMistyped(written, known)
      if (strays?.has(lower)) throw duplicate(written)
      strays = (strays ?? new Set()).add(lower)
    } else {
      if (values.has(name)) throw duplicate(name)
      values.set(name, value)
    }
  }
  return values
}

/** A parameter that is `true` or `false` in any letter case, or `absent` when it is not given. */
export const flag = (query: Query, name: string, absent: boolean): boolean => {
  const text = query.get(name)?.toLowerCase() ?? String(absent)
  if (text !== 'true' && text !== 'false')
    throw new Fault('InvalidQueryOption', {
      target: name,
      says: { name, problem: phrase('expectedTrueOrFalse') },
    })
  return text === 'true'
}

/** A parameter that has to be given; `problem` says what it holds. */
export const required = (query: Query, name: string, problem: PhraseCode): string => {
  const text = query.get(name)
  if (text !== undefined) return text
  throw new Fault('InvalidQueryOption', { target: name, says: { name, problem: phrase(problem) } })
}

/** A parameter alias is read where it is used. */
const isAlias = (name: string): boolean => name.startsWith('@')

const bare = (name: string): string => (name.startsWith('$') ? name.slice(1) : name)

/** Decodes and trims one name or value; `target` is the name when this is its value. */
const decode = (encoded: string, target?: string): string =>
  decodeText(encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded, target).trim()

const duplicate = (name: string): Fault =>
  new Fault('DuplicateParameter', { target: shown(name), says: { name: shown(name) } })

/** A query that silently lost its filter would answer with wrong data, so near misses are refused too. */
const refuseMistyped = (name: string, known: KnownParameters): void => {
  const lower = bare(name.toLowerCase())
  const isMistyped = name.startsWith('$') || known.bareNames.some((one) => isNear(lower, one))
  if (known.strays === 'ignored' && !isMistyped) return
  const meant = nearest(lower, known.bareNames)
  const declared = meant === undefined ? undefined : known.nameByLowerCase.get(meant)
  throw new Fault('UnknownQueryOption', {
    target: shown(name),
    says: { name: shown(name), ...(declared === undefined ? {} : { nearest: declared }) },
  })
}

/** Within two letters, as long as more than half of the name stands: `_` and `t` break caches, they mean no `$top`. */
const isNear = (stray: string, known: string): boolean => {
  const letters = lettersBetween(stray, known, 2)
  return letters <= 2 && letters * 2 < Math.max(stray.length, known.length)
}
