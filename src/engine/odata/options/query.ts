// Query string parser: decoded values by name, checked against the parameters of the route.
import { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode } from '../../../errors/messages.ts'
import { lettersBetween, misspelled, nearest } from '../../../lib/closest-match.ts'
import { decodeText } from '../lexer/decode.ts'
import { shown } from './option.ts'

/** Decoded and trimmed values, by the name as the route declares it; aliases by the name as sent. */
export type Query = ReadonlyMap<string, string>

/** The parameters of one route. Options are declared with their `$` and accepted with or without it. */
export interface KnownParameters {
  readonly names: readonly string[]
  /** Whether an undeclared name is ignored (unless it looks mistyped) or refused. */
  readonly strays: 'ignored' | 'refused'
  /** Whether parameter aliases (`@name`) are accepted: on routes with system query options. */
  readonly takesAliases: boolean
  readonly nameByLowerCase: ReadonlyMap<string, string>
  /** In lower case and without `$`: the candidates that a mistyped name is compared with. */
  readonly bareNames: readonly string[]
  /** Names that are parameters of other routes: refused here, never ignored. */
  readonly reserved: readonly string[]
}

/** Called once per route. */
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

/** A query, and its ignored unknown names as they were sent. */
export interface ReadQuery {
  readonly query: Query
  readonly ignored: readonly string[]
}

export function parseQuery(search: string, known: KnownParameters): Query {
  return readQuery(search, known).query
}

/**
 * Parses the query string of the request line, without `?`: one character is one byte, `+` is a blank, names are
 * case-insensitive. Refuses invalid encoding, duplicates and names that look mistyped.
 */
export function readQuery(search: string, known: KnownParameters): ReadQuery {
  const values = new Map<string, string>()
  // Most requests have no unknown names, so the map is created for the first one.
  let strays: Map<string, string> | undefined
  for (const part of search.split('&')) {
    const equals = part.indexOf('=')
    const name = decode(equals === -1 ? part : part.slice(0, equals))
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), name)
    if (name === '') continue

    const lower = name.toLowerCase()
    const declared = known.nameByLowerCase.get(lower)
    if (declared === undefined && isAlias(name) && known.takesAliases) {
      if (values.has(name)) throw duplicate(name)
      values.set(name, value)
    } else if (declared === undefined) {
      refuseMistyped(name, known)
      if (strays?.has(lower)) throw duplicate(name)
      strays = (strays ?? new Map()).set(lower, shownName(name))
    } else {
      if (values.has(declared)) throw duplicate(declared)
      values.set(declared, value)
    }
  }
  return { query: values, ignored: strays === undefined ? none : [...strays.values()] }
}

const none: readonly string[] = []

/** The boolean value of a parameter, in any letter case; `defaultValue` when it is missing. */
export function flag(query: Query, name: string, absent: boolean): boolean {
  const text = query.get(name)?.toLowerCase() ?? String(absent)
  if (text !== 'true' && text !== 'false')
    throw new Fault('InvalidQueryOption', {
      target: name,
      says: { name, problem: phrase('expectedTrueOrFalse') },
    })
  return text === 'true'
}

/** The value of a required parameter; `problem` describes the expected value. */
export function required(query: Query, name: string, problem: PhraseCode): string {
  const text = query.get(name)
  if (text !== undefined) return text
  throw new Fault('InvalidQueryOption', { target: name, says: { name, problem: phrase(problem) } })
}

/** Parameter aliases are parsed where they are used. */
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

/** The text after an encoded `=` is a value, and may be a secret. */
function shownName(name: string): string {
  const equals = name.indexOf('=')
  return shown(equals === -1 ? name : `${name.slice(0, equals)}…`)
}

/**
 * More than half of a short name must match: `find` and `type` are parameters of other routes, not misspellings of
 * `$id` and `$top`.
 */
function meantBy(name: string, candidates: readonly string[]): string | undefined {
  const meant = misspelled(name, candidates)
  if (meant === undefined) return undefined
  const isHalf = lettersBetween(name, meant, 2) * 2 === Math.max(name.length, meant.length)
  return isHalf ? undefined : meant
}

/**
 * Near misses are refused: without its filter, or its `dryRun`, the request would do something else than intended.
 */
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
