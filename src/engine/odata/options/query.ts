// Query string parser: decoded values by name, checked against the parameters of the route.
import { ApiError } from '../../../errors/api-error.ts'
import { message, type LocalizedMessage, type MessageCode } from '../../../errors/messages.ts'
import { editDistance, findIntendedName, closestMatch } from '../../../lib/closest-match.ts'
import { decodeText } from '../percent-decoding.ts'
import { truncateName } from './option.ts'

/** Decoded and trimmed values, by the name as the route declares it; aliases by the name as sent. */
export type Query = ReadonlyMap<string, string>

/** The parameters of one route. Options are declared with their `$` and accepted with or without it. */
export interface RouteParameters {
  readonly names: readonly string[]
  /** Whether an undeclared name is ignored (unless it looks mistyped) or rejected. */
  readonly unknownNames: 'ignored' | 'rejected'
  /** Whether parameter aliases (`@name`) are accepted: on routes with system query options. */
  readonly acceptsAliases: boolean
  readonly nameByLowerCase: ReadonlyMap<string, string>
  /** In lower case and without `$`: the candidates that a mistyped name is compared with. */
  readonly namesWithoutDollar: readonly string[]
  /** Names that are parameters of other routes: rejected here, never ignored. */
  readonly reserved: readonly string[]
  /** System query options that the standard defines for such a request and the service lacks: 501 instead of 400. */
  readonly unsupported: readonly string[]
}

/** Called once per route. */
export function routeParameters(
  names: readonly string[],
  unknownNames: RouteParameters['unknownNames'],
  { reserved = [], unsupported = ['$index'] }: Partial<Pick<RouteParameters, 'reserved' | 'unsupported'>> = {},
): RouteParameters {
  return {
    names,
    reserved,
    unsupported,
    unknownNames,
    acceptsAliases: unknownNames === 'ignored' && names.some((name) => name.startsWith('$')),
    namesWithoutDollar: names.map((name) => withoutDollar(name.toLowerCase())),
    nameByLowerCase: new Map(
      names.flatMap((name) => {
        const lower = name.toLowerCase()
        return [
          [lower, name],
          [withoutDollar(lower), name],
        ]
      }),
    ),
  }
}

/** The system query options of the standard (OData 4.01 part 1, 11.2). */
export const systemQueryOptions: readonly string[] = (
  '$apply $compute $count $deltatoken $expand $filter $format $id $index $levels $orderby ' +
  '$schemaversion $search $select $skip $skiptoken $top'
).split(' ')

export function parseQuery(search: string, parameters: RouteParameters): Query {
  return parseQueryWithIgnored(search, parameters).query
}

/**
 * Parses the query string of the request line, without `?`: one character is one byte, `+` is a blank, names are
 * case-insensitive. Rejects invalid encoding, duplicates, names that look mistyped, and more than 100 unknown ones; the
 * others are returned as they were sent.
 */
export function parseQueryWithIgnored(search: string, parameters: RouteParameters) {
  const values = new Map<string, string>()
  // Most requests have no unknown names, so the map is created for the first one.
  let unknownNames: Map<string, string> | undefined
  for (const part of search.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const encodedName = equals === -1 ? part : part.slice(0, equals)
    const exact = parameters.nameByLowerCase.get(encodedName)
    const name = exact ?? decodeComponent(encodedName)
    const value = equals === -1 ? '' : decodeComponent(part.slice(equals + 1), name)
    if (name === '') continue

    const lower = name.toLowerCase()
    const declared = exact ?? parameters.nameByLowerCase.get(lower)
    // Parameter aliases are parsed where they are used.
    if (declared === undefined && name.startsWith('@') && parameters.acceptsAliases) {
      if (values.has(name)) throw duplicateError(name)
      values.set(name, value)
    } else if (declared === undefined) {
      if (unknownNames?.size === ignoredNamesMax) throw unknownNameError(name)
      rejectMistyped(name, parameters)
      if (unknownNames?.has(lower)) throw duplicateError(name)
      unknownNames = (unknownNames ?? new Map()).set(lower, nameForError(name))
    } else {
      if (values.has(declared)) throw duplicateError(declared)
      values.set(declared, value)
    }
  }
  return { query: values, ignored: unknownNames === undefined ? none : [...unknownNames.values()] }
}

const none: readonly string[] = []

/** Each is compared with the declared names, and the body of `/$query` could have 100,000. */
const ignoredNamesMax = 100

/** The boolean value of a parameter, in any letter case; `defaultValue` when it is missing. */
export function parseFlag(query: Query, name: string, defaultValue: boolean): boolean {
  const text = query.get(name)?.toLowerCase() ?? String(defaultValue)
  if (text !== 'true' && text !== 'false') throw queryOptionError(name, message('expectedTrueOrFalse'))
  return text === 'true'
}

/** The value of a required parameter; `problem` describes the expected value. */
export function requireParameter(query: Query, name: string, problem: MessageCode): string {
  const text = query.get(name)
  if (text !== undefined) return text
  throw queryOptionError(name, message(problem))
}

/** The error for an invalid value of a parameter; `problem` is the reason. */
export function queryOptionError(name: string, problem: LocalizedMessage): ApiError {
  return new ApiError('InvalidQueryOption', { target: name, params: { name, problem } })
}

function withoutDollar(name: string): string {
  return name.startsWith('$') ? name.slice(1) : name
}

/** Decodes and trims one name or value; `target` is the name when this is its value. */
function decodeComponent(encoded: string, target?: string): string {
  return decodeText(encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded, target).trim()
}

function duplicateError(name: string): ApiError {
  return new ApiError('DuplicateParameter', { target: nameForError(name), params: { name: nameForError(name) } })
}

/** The text after an encoded `=` is a value, and may be a secret. */
function nameForError(name: string): string {
  const equals = name.indexOf('=')
  return truncateName(equals === -1 ? name : `${name.slice(0, equals)}…`)
}

/**
 * More than half of a short name must match: `find` and `type` are parameters of other routes, not misspellings of
 * `$id` and `$top`.
 */
function suggestionFor(name: string, candidates: readonly string[]): string | undefined {
  const suggestion = findIntendedName(name, candidates)
  if (suggestion === undefined) return undefined
  const isHalf = editDistance(name, suggestion, 2) * 2 === Math.max(name.length, suggestion.length)
  return isHalf ? undefined : suggestion
}

/**
 * Near misses are rejected: without its filter, or its `dryRun`, the request would do something else than intended.
 */
function rejectMistyped(name: string, parameters: RouteParameters): void {
  const lower = withoutDollar(name.toLowerCase())
  if (parameters.unsupported.includes(name.toLowerCase()))
    throw new ApiError('NotSupported', { target: name, params: { feature: name } })
  const suggestion = suggestionFor(lower, parameters.namesWithoutDollar)
  const isMistyped =
    name.startsWith('$') || suggestion !== undefined || suggestionFor(lower, parameters.reserved) !== undefined
  if (parameters.unknownNames === 'ignored' && !isMistyped) return
  const nearest = suggestion ?? closestMatch(lower, parameters.namesWithoutDollar) ?? ''
  throw unknownNameError(name, parameters.nameByLowerCase.get(nearest))
}

function unknownNameError(name: string, nearest?: string): ApiError {
  return new ApiError('UnknownQueryOption', {
    target: nameForError(name),
    params: { name: nameForError(name), nearest },
  })
}
