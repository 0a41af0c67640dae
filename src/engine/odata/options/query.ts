// The query string becomes named values: decoded, each name once, and only names that the route knows.
import { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode } from '../../../errors/messages.ts'
import { lettersBetween, misspelled, nearest } from '../../../lib/closest-match.ts'
import { decodeText } from '../lexer/decode.ts'
import { shown } from './option.ts'

/** Decoded and trimmed values under the names as the route declares them, and of aliases under theirs. */
export type Query = ReadonlyMap<string, string>

/** The parameters of one route. Options are declared with their `$` and read with or without it. */
export interface KnownParameters {
  readonly names: readonly string[]
  /** Whether a name that is not declared is ignored (unless it looks mistyped) or refused. */
  readonly strays: 'ignored' | 'refused'
  /** Whether parameter aliases (`@name`) are read: on routes with system query options. */
  readonly takesAliases: boolean
  readonly nameByLowerCase: ReadonlyMap<string, string>
  /** In lower case and without `$`: what a mistyped name is held against. */
  readonly bareNames: readonly string[]
  /** Names that mean something on other routes: refused here, never ignored. */
  readonly reserved: readonly string[]
}

/** Made once per route. */
export function knownParameters(
  names: readonly string[],
  strays: KnownParameters['strays'],
  reserved: KnownParameters['reserved'] = [],
): KnownParameters {
  return {
    names,
    reserved,
    strays,
    takesAliases: strays === 'ignored' && names.some((name) => name.startsWith('$')),
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
  }
}

/** A query, and the unknown names in it as they were sent. */
export interface ReadQuery {
  readonly query: Query
  readonly ignored: readonly string[]
}

export function parseQuery(search: string, known: KnownParameters): Query {
  return readQuery(search, known).query
}

/**
 * Reads the query string as it stands in the request line, without `?`: one character is one byte, `+` is a
 * blank, names come in any letter case. Refuses what cannot be decoded, what comes twice and what looks mistyped.
 */
export function readQuery(search: string, known: KnownParameters): ReadQuery {
  const values = new Map<string, string>()
  // Most requests have no strays; the map is made for the first of them.
  let strays: Map<string, string> | undefined
  for (const part of search.split('&')) {
    const equals = part.indexOf('=')
    const written = decode(equals === -1 ? part : part.slice(0, equals))
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), written)
    if (written === '') continue

    const lower = written.toLowerCase()
    const name = known.nameByLowerCase.get(lower)
    if (name === undefined && isAlias(written) && known.takesAliases) {
      if (values.has(written)) throw duplicate(written)
      values.set(written, value)
    } else if (name === undefined) {
      refuseMistyped(written, known)
      if (strays?.has(lower)) throw duplicate(written)
      strays = (strays ?? new Map()).set(lower, shownName(written))
    } else {
      if (values.has(name)) throw duplicate(name)
      values.set(name, value)
    }
  }
  return { query: values, ignored: strays === undefined ? none : [...strays.values()] }
}

const none: readonly string[] = []

/** A parameter that is `true` or `false` in any letter case, or `absent` when it is not given. */
export function flag(query: Query, name: string, absent: boolean): boolean {
  const text = query.get(name)?.toLowerCase() ?? String(absent)
  if (text !== 'true' && text !== 'false')
    throw new Fault('InvalidQueryOption', {
      target: name,
      says: { name, problem: phrase('expectedTrueOrFalse') },
    })
  return text === 'true'
}

/** A parameter that has to be given; `problem` says what it holds. */
export function required(query: Query, name: string, problem: PhraseCode): string {
  const text = query.get(name)
  if (text !== undefined) return text
  throw new Fault('InvalidQueryOption', { target: name, says: { name, problem: phrase(problem) } })
}

/** A parameter alias is read where it is used. */
function isAlias(name: string): boolean {
  return name.startsWith('@')
}

function bare(name: string): string {
  return name.startsWith('$') ? name.slice(1) : name
}

/** Decodes and trims one name or value; `target` is the name when this is its value. */
function decode(encoded: string, target?: string): string {
  return decodeText(encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded, target).trim()
}

function duplicate(name: string): Fault {
  return new Fault('DuplicateParameter', {
    target: shownName(name),
    says: { name: shownName(name) },
  })
}

/** What follows an encoded `=` is a value, and may be a secret. */
function shownName(name: string): string {
  const equals = name.indexOf('=')
  return shown(equals === -1 ? name : `${name.slice(0, equals)}…`)
}

/** Of a short name more than half has to stand: `find` and `type` are parameters of others, and mean no `$id` or `$top`. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const meant = misspelled(name, known)
  if (meant === undefined) return undefined
  const isHalf = lettersBetween(name, meant, 2) * 2 === Math.max(name.length, meant.length)
  return isHalf ? undefined : meant
}

/** Near misses are refused: without its filter, or its `dryRun`, the call would do something else than was asked. */
function refuseMistyped(name: string, known: KnownParameters): void {
  const lower = bare(name.toLowerCase())
  const meant = meantBy(lower, known.bareNames)
  const isMistyped =
    name.startsWith('$') || meant !== undefined || meantBy(lower, known.reserved) !== undefined
  if (known.strays === 'ignored' && !isMistyped) return
  const declared = known.nameByLowerCase.get(meant ?? nearest(lower, known.bareNames) ?? '')
  throw new Fault('UnknownQueryOption', {
    target: shownName(name),
    says: { name: shownName(name), ...(declared === undefined ? {} : { nearest: declared }) },
  })
}
