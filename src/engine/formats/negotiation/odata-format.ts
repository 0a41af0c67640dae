// OData format negotiation: the JSON format of a reply by `Accept` or `$format` (OData JSON 4.01, 3).
import { Fault } from '../../../errors/catalog.ts'
import type { RecordForm } from '../../planner/select/record-form.ts'
import { splitOutsideQuotes } from './header-list.ts'
import type { ODataVersion } from './odata-version.ts'

export interface JsonForm extends Pick<RecordForm, 'version' | 'metadata' | 'decimals'> {
  /** `application/json` with the requested parameters and the metadata level. */
  readonly contentType: string
}

/** The format that the client requests. */
export interface Wanted {
  readonly accept: string | undefined
  /** `$format`, which overrides `Accept`. */
  readonly format: string | undefined
  readonly version: ODataVersion
}

/**
 * The preferred JSON format. A range with an unsupported parameter is ignored. Throws `NotAcceptable` if none is left.
 */
export function jsonFormFor({ accept, format, version }: Wanted): JsonForm {
  const wanted = format ?? accept ?? ''
  if (wanted.trim() === '' || format?.toLowerCase() === 'json') return formOf(new Map(), version)
  const ranges = mediaRanges(wanted).filter(({ name }) => isJson(name))
  const range = mostWanted(ranges.filter(({ parameters }) => areServed(parameters)))
  if (range !== undefined) return formOf(range.parameters, version)
  throw notAcceptable(format, formOf(new Map(), version).contentType)
}

/** The format of `$metadata`: XML wherever it is acceptable, because clients that need it list JSON first (ADR 0030). */
export function schemaFormat({ accept, format, version }: Wanted): 'json' | 'xml' {
  const wanted = format ?? accept ?? ''
  const short = format?.toLowerCase()
  if (wanted.trim() === '' || short === 'xml') return 'xml'
  if (short === 'json') return 'json'
  const ranges = mediaRanges(wanted).filter(({ weight }) => weight > 0)
  if (ranges.some(({ name }) => isXml(name))) return 'xml'
  if (ranges.some(({ name, parameters }) => isJson(name) && areServed(parameters))) return 'json'
  throw notAcceptable(format, `application/xml, ${formOf(new Map(), version).contentType}`)
}

/** Throws `NotAcceptable` unless `text/plain`, the format of raw values, is acceptable. */
export function requireText({ accept, format }: Omit<Wanted, 'version'>): void {
  const wanted = format ?? accept ?? ''
  if (wanted.trim() === '') return
  const isTaken = mediaRanges(wanted).some(
    ({ name, weight }) =>
      weight > 0 && ['text/plain', 'text/*', '*/*', ...jsonNames].includes(name),
  )
  if (!isTaken) throw notAcceptable(format, 'text/plain')
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
      const [parameter = '', value = ''] = part.split('=').map((one) => one.trim())
      parameters.set(parameter, value)
    }
    const weight = Number(parameters.get('q') ?? 1)
    parameters.delete('q')
    return { name, parameters, weight: Number.isNaN(weight) ? 0 : weight }
  })
}

/** The highest weight; of equal ones the more specific, then the first. */
function mostWanted(ranges: readonly MediaRange[]): MediaRange | undefined {
  let most: MediaRange | undefined
  for (const range of ranges) {
    if (range.weight === 0) continue
    const more = most === undefined ? 1 : range.weight - most.weight || detail(range) - detail(most)
    if (more > 0) most = range
  }
  return most
}

function detail({ name, parameters }: MediaRange): number {
  return (name === 'application/json' ? 1 : 0) + parameters.size
}

/** Content type of replies without records: the results of a list. */
export const jsonContentType = 'application/json; charset=utf-8'

const jsonNames = ['application/json', 'application/*']

function isJson(name: string): boolean {
  return name === '*/*' || jsonNames.includes(name)
}

function isXml(name: string): boolean {
  return ['application/xml', 'text/xml', 'application/*', 'text/*', '*/*'].includes(name)
}

function areServed(parameters: MediaRange['parameters']): boolean {
  return [...parameters].every(([name, value]) => served.get(name)?.includes(value) ?? false)
}

const levels = ['none', 'minimal', 'full'] as const
const eitherWay = ['true', 'false']

/** Names with the prefix `odata.` are those of 4.0; both are accepted in either version. */
const served = new Map<string, readonly string[]>([
  ['odata.metadata', levels],
  ['metadata', levels],
  ['odata.streaming', eitherWay],
  ['streaming', eitherWay],
  ['ieee754compatible', eitherWay],
  ['exponentialdecimals', eitherWay],
  ['charset', ['utf-8', 'utf8']],
])

/** Contains only requested parameters, and the metadata level (OData JSON 4.01, 3). */
function formOf(parameters: MediaRange['parameters'], version: ODataVersion): JsonForm {
  const asked = (name: string) => parameters.get(name) ?? parameters.get(`odata.${name}`)
  const metadata = levels.find((level) => level === asked('metadata')) ?? 'minimal'
  const decimals = asked('ieee754compatible') === 'true' ? 'string' : 'number'
  const prefix = version === '4.0' ? 'odata.' : ''
  const contentType = [
    'application/json',
    `${prefix}metadata=${metadata}`,
    ...(decimals === 'string' ? ['IEEE754Compatible=true'] : []),
    ...(asked('streaming') === 'true' ? [`${prefix}streaming=true`] : []),
    ...(asked('charset') === undefined ? [] : ['charset=utf-8']),
  ].join(';')
  return { version, metadata, decimals, contentType }
}

function notAcceptable(format: string | undefined, type: string): Fault {
  return new Fault('NotAcceptable', {
    target: format === undefined ? 'header:Accept' : '$format',
    says: { type },
  })
}
