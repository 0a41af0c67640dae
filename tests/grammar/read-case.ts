// Runs one ABNF test case through the parsers: a URL, a query string or an expression.
import { pathOfQueryInBody } from '../../src/api/odata/query-in-body.ts'
import { ApiError } from '../../src/errors/api-error.ts'
import { parseApply } from '../../src/engine/odata/options/apply.ts'
import { parseCompute } from '../../src/engine/odata/options/compute.ts'
import { standardDialect } from '../../src/engine/odata/dialect.ts'
import { parseExpand } from '../../src/engine/odata/options/select-expand.ts'
import { parseFilter } from '../../src/engine/odata/options/filter.ts'
import { parseOrderBy } from '../../src/engine/odata/options/order-by.ts'
import { parseFlag, routeParameters, parseQuery, requireParameter } from '../../src/engine/odata/options/query.ts'
import { parseResourcePath } from '../../src/engine/odata/path/resource-path.ts'
import { parseSearch } from '../../src/engine/odata/options/search.ts'
import { parseSelect } from '../../src/engine/odata/options/select-expand.ts'
import type { Expression } from '../../src/engine/odata/expressions/syntax.ts'
import type { Grammar, GrammarCase } from './cases.ts'
import { checkNames } from './names.ts'

/** `at` counts from 0 in the input; null where the error has no column. */
export type Outcome =
  | { readonly kind: 'accepted' }
  /** Not supported; `says` is the error message. */
  | { readonly kind: 'unsupported'; readonly says: string }
  | { readonly kind: 'refused'; readonly code: string; readonly at: number | null }

export function runCase({ rule, input }: GrammarCase, names: Grammar['names']): Outcome {
  const parts = partsOf(rule, input)
  for (const part of parts) {
    const outcome = runPart(part, names)
    if (outcome.kind !== 'accepted') return outcome
  }
  return { kind: 'accepted' }
}

/** A part of the input that one parser reads. */
interface CasePart {
  readonly read: (text: string, names: Grammar['names']) => void
  readonly text: string
  /** The position in the input of each character of the text, and of its end. */
  readonly positions: readonly number[]
}

function runPart({ read, text, positions }: CasePart, names: Grammar['names']): Outcome {
  try {
    read(text, names)
    return { kind: 'accepted' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'NotSupported') return { kind: 'unsupported', says: error.message }
    const column = Number(/:(\d+)$/.exec(error.target ?? '')?.[1] ?? 1)
    return { kind: 'refused', code: error.code, at: positions[column - 1] ?? null }
  }
}

function partsOf(rule: string, input: string): CasePart[] {
  if (rule === 'odataUri') return partsOfUri(input, input.length - withoutRoot(input).length)
  if (rule === 'odataRelativeUri') return partsOfUri(input, 0)
  if (rule === 'resourcePath') return [pathPart(input, 0)]
  if (queryRules.has(rule)) return partsOfQuery(input, 0)
  return [decoded(input, 0, readerOf(rule))]
}

/** The service roots in the cases. */
function withoutRoot(uri: string): string {
  return uri.replace(/^http:\/\/(serviceRoot|host\/service|services\.odata\.org\/OData\/OData\.svc)\//, '')
}

function partsOfUri(input: string, start: number): CasePart[] {
  const [uri = ''] = input.split('#')
  const queryAt = uri.indexOf('?', start)
  const requested = uri.slice(start, queryAt === -1 ? undefined : queryAt)
  const path = pathOfQueryInBody(requested) ?? requested
  const query = queryAt === -1 ? [] : partsOfQuery(uri, queryAt + 1)
  if (path.startsWith('$entity'))
    query.push(
      decoded(uri.slice(queryAt + 1), queryAt + 1, (search) =>
        requireParameter(parseQuery(search, parameters), '$id', 'expectedRecordAddress'),
      ),
    )
  return [pathPart(path, start), ...query]
}

function pathPart(path: string, start: number): CasePart {
  return {
    text: path,
    positions: Array.from({ length: path.length + 1 }, (_, index) => start + index),
    read: (text, names) => {
      const segments = parseResourcePath(text, standardDialect)
      checkNames(names).path(segments)
    },
  }
}

const queryRules = new Set(
  'queryOptions filter expand select orderby orderBy compute search systemQueryOption customQueryOption'.split(' '),
)

/** The whole query string first, then each option and alias. */
function partsOfQuery(input: string, start: number): CasePart[] {
  const [search = ''] = input.slice(start).split('#')
  const parts = [decoded(search, start, () => parseFlag(parseQuery(search, parameters), '$count', false))]
  let at = start
  for (const option of search.split('&')) {
    const [written = ''] = option.split('=')
    const value = option.slice(written.length + 1)
    const bare = written.toLowerCase().replace(/^\$/, '')
    const read = written.startsWith('@') ? readExpression : optionReaders.get(bare)
    if (read !== undefined) parts.push(decoded(value, at + written.length + 1, read))
    at += option.length + 1
  }
  return parts
}

function decoded(text: string, start: number, read: CasePart['read']): CasePart {
  const positions: number[] = []
  let plain = ''
  for (let at = 0; at < text.length;) {
    const [encoded = text.charAt(at)] = /^(%[\da-f]{2})+/i.exec(text.slice(at)) ?? []
    const characters = encoded.startsWith('%') ? decodeURIComponent(encoded) : encoded
    const width = encoded.length / characters.length
    for (let index = 0; index < characters.length; index++) positions.push(start + at + Math.floor(index * width))
    plain += characters
    at += encoded.length
  }
  return { read, text: plain, positions: [...positions, start + text.length] }
}

const readExpression: CasePart['read'] = (text) => {
  parseFilter(text, standardDialect)
}

const optionReaders: ReadonlyMap<string, CasePart['read']> = new Map<string, CasePart['read']>([
  ['filter', readExpression],
  ['orderby', (text) => parseOrderBy(text, standardDialect)],
  ['select', (text) => parseSelect(text, standardDialect)],
  ['expand', (text) => parseExpand(text, standardDialect)],
  ['compute', (text) => parseCompute(text, standardDialect)],
  ['search', (text) => parseSearch(text)],
  ['apply', (text, names) => checkNames(names).apply(parseApply(text, standardDialect))],
])

const options = 'filter orderby select expand compute search apply top skip count format id'
const parameters = routeParameters(
  [...options.split(' '), 'schemaversion'].map((name) => `$${name}`),
  'ignored',
)

/** The parser for a rule of the grammar that is part of an expression. */
function readerOf(rule: string): CasePart['read'] {
  if (rule === 'searchExpr') return (text) => parseSearch(text)
  if (rule === 'anyExpr') return (text) => parseFilter(`Products/${text}`, standardDialect)
  if (rule === 'functionParameter') return (text) => parseResourcePath(`F(${text})`, standardDialect)
  if (rule === 'stringInUrl') return (text) => parseFilter(`[${text}]`, standardDialect)
  const nodeKinds = nodeKindsByRule.get(rule)
  if (nodeKinds === undefined) return readExpression
  return (text) => {
    const node = parseFilter(text, standardDialect)
    if (!nodeKinds.includes(nodeKindOf(node)))
      throw new ApiError('InvalidFilter', { target: '$filter:1', params: { column: 1 } })
  }
}

function nodeKindOf(node: Expression): string {
  return node.kind === 'literal' ? node.type : node.kind
}

/** The node kinds of each rule. A string is converted to the type it is compared with (OData 4.01 part 2, 5.1.1.6.1). */
const nodeKindsByRule: ReadonlyMap<string, readonly string[]> = new Map([
  ['binaryLiteral', ['binary']],
  ['boolean', ['boolean']],
  ['date', ['date']],
  ['dateTimeOffsetLiteral', ['dateTime']],
  ['durationLiteral', ['duration', 'text']],
  ['enumLiteral', ['enum', 'text']],
  ['guid', ['guid']],
  ['null', ['null']],
  ['stringLiteral', ['text']],
  ['timeOfDayLiteral', ['timeOfDay']],
  ['odataIdentifier', ['name']],
  ['entitySetName', ['name']],
  ...['decimal', 'double', 'single', 'sbyte', 'int16', 'int32', 'int64'].map((type): [string, string[]] => [
    `${type}Literal`,
    ['number'],
  ]),
])
