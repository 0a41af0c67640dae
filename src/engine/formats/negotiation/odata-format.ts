// OData format negotiation: the JSON format of a reply by `Accept` or `$format` (OData JSON 4.01, 3).
import { ApiError } from '../../../errors/api-error.ts'
import type { ODataVersion, RecordFormat } from '../../planner/record-format.ts'
import { splitOutsideQuotes } from './header-list.ts'
import { oldJsonType } from './media-type.ts'

export interface ODataJsonFormat extends Pick<RecordFormat, 'version' | 'metadata' | 'decimals'> {
  /** `application/json` with the requested parameters and the metadata level. */
  readonly contentType: string
}

/** The format that the client requests. */
export interface FormatRequest {
  readonly accept: string | undefined
  /** `$format`, which overrides `Accept`. */
  readonly format: string | undefined
  readonly version: ODataVersion
}

/**
 * The preferred JSON format. A range with an unsupported parameter is ignored. Throws `NotAcceptable` if none is left.
 */
export function negotiateJsonFormat({ accept, format, version }: FormatRequest): ODataJsonFormat {
  const requested = format ?? accept ?? ''
  if (requested.trim() === '' || format?.toLowerCase() === 'json') return odataJsonFormat(new Map(), version)
  const ranges = mediaRanges(requested).filter(({ name }) => isJson(name))
  const range = bestRange(ranges.filter(({ parameters }) => areSupported(parameters)))
  if (range !== undefined) return odataJsonFormat(range.parameters, version)
  throw notAcceptableError(format, odataJsonFormat(new Map(), version).contentType)
}

/** The format of `$metadata`: XML wherever it is acceptable, because clients that need it list JSON first (ADR 0024). */
export function negotiateSchemaFormat({ accept, format, version }: FormatRequest): 'json' | 'xml' {
  const requested = format ?? accept ?? ''
  const short = format?.toLowerCase()
  if (requested.trim() === '' || short === 'xml') return 'xml'
  if (short === 'json') return 'json'
  const ranges = mediaRanges(requested).filter(({ weight }) => weight > 0)
  if (ranges.some(({ name }) => ['application/xml', 'text/xml', 'application/*', 'text/*', '*/*'].includes(name)))
    return 'xml'
  if (ranges.some(({ name, parameters }) => isJson(name) && areSupported(parameters))) return 'json'
  throw notAcceptableError(format, `application/xml, ${odataJsonFormat(new Map(), version).contentType}`)
}

/** Throws `NotAcceptable` unless `text/plain`, the format of raw values, is acceptable. */
export function requirePlainText({ accept, format }: Omit<FormatRequest, 'version'>): void {
  const requested = format ?? accept ?? ''
  if (requested.trim() === '') return
  const isTaken = mediaRanges(requested).some(
    ({ name, weight }) => weight > 0 && ['text/plain', 'text/*', '*/*', ...jsonNames].includes(name),
  )
  if (!isTaken) throw notAcceptableError(format, 'text/plain')
}

interface MediaRange {
  /** In lower case. */
  readonly name: string
  /** By lower-case name; values in lower case and without quotes. */
  readonly parameters: ReadonlyMap<string, string>
  readonly weight: number
}

function mediaRanges(header: string): MediaRange[] {
  return splitOutsideQuotes(header, ',').map((range) => {
    const [name = '', ...rest] = splitOutsideQuotes(range, ';').map((part) =>
      part.trim().toLowerCase().replaceAll('"', ''),
    )
    const parameters = new Map<string, string>()
    for (const part of rest) {
      // RFC 9110, 5.6.6: a parameter may be empty.
      if (part === '') continue
      const [parameter = '', value = ''] = part.split('=').map((one) => one.trim())
      parameters.set(parameter, value)
    }
    const weight = Number(parameters.get('q') ?? 1)
    parameters.delete('q')
    return { name, parameters, weight: Number.isNaN(weight) ? 0 : weight }
  })
}

/** The highest weight; of equal ones the more specific, then the first. */
function bestRange(ranges: readonly MediaRange[]): MediaRange | undefined {
  let best: MediaRange | undefined
  for (const range of ranges) {
    if (range.weight === 0) continue
    const more = best === undefined ? 1 : range.weight - best.weight || specificity(range) - specificity(best)
    if (more > 0) best = range
  }
  return best
}

function specificity({ name, parameters }: MediaRange): number {
  return (name === 'application/json' ? 1 : 0) + parameters.size
}

/** Content type of replies without records: the results of a list. */
export const jsonContentType = 'application/json; charset=utf-8'

const jsonNames = ['application/json', oldJsonType, 'application/*']

function isJson(name: string): boolean {
  return name === '*/*' || jsonNames.includes(name)
}

function areSupported(parameters: MediaRange['parameters']): boolean {
  return [...parameters].every(([name, value]) => supportedParameters.get(name)?.includes(value) ?? false)
}

const levels = ['none', 'minimal', 'full'] as const
const booleanValues = ['true', 'false']

/** Names with the prefix `odata.` are those of 4.0; both are accepted in either version. */
const supportedParameters = new Map<string, readonly string[]>([
  ['odata.metadata', levels],
  ['metadata', levels],
  ['odata.streaming', booleanValues],
  ['streaming', booleanValues],
  ['ieee754compatible', booleanValues],
  ['exponentialdecimals', booleanValues],
  ['charset', ['utf-8', 'utf8']],
])

/** Contains only requested parameters, and the metadata level (OData JSON 4.01, 3). */
function odataJsonFormat(parameters: MediaRange['parameters'], version: ODataVersion): ODataJsonFormat {
  const parameter = (name: string) => parameters.get(name) ?? parameters.get(`odata.${name}`)
  const metadata = levels.find((level) => level === parameter('metadata')) ?? 'minimal'
  const decimals = parameter('ieee754compatible') === 'true' ? 'string' : 'number'
  const prefix = version === '4.0' ? 'odata.' : ''
  const contentType = [
    'application/json',
    `${prefix}metadata=${metadata}`,
    ...(decimals === 'string' ? ['IEEE754Compatible=true'] : []),
    ...(parameter('streaming') === 'true' ? [`${prefix}streaming=true`] : []),
    ...(parameter('charset') === undefined ? [] : ['charset=utf-8']),
  ].join(';')
  return { version, metadata, decimals, contentType }
}

function notAcceptableError(format: string | undefined, type: string): ApiError {
  return new ApiError('NotAcceptable', { target: format === undefined ? 'header:Accept' : '$format', params: { type } })
}
