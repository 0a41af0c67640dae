// In which form of JSON an OData answer leaves, by `Accept` or `$format` (OData JSON 4.01, 3.1).
import { Fault } from '#faults.ts'
import { splitOutsideQuotes } from '#wire/header-list.ts'

/**
 * Passes where the caller takes JSON with minimal metadata, which is what it gets. A range with a parameter
 * that is not served is passed over, as if it were not there. Throws `NotAcceptable` where none is left.
 */
export const requireJson = (accept: string | undefined, format: string | undefined): void => {
  const wanted = format ?? accept ?? ''
  if (wanted.trim() === '' || format?.toLowerCase() === 'json') return
  const ranges = splitOutsideQuotes(wanted, ',').map((range) =>
    splitOutsideQuotes(range, ';').map((part) => part.trim().toLowerCase().replaceAll('"', '')),
  )
  if (ranges.some(([name = '', ...parameters]) => isJson(name) && parameters.every(isServed)))
    return
  throw new Fault('NotAcceptable', {
    target: format === undefined ? 'header:Accept' : '$format',
    says: { type: contentType },
  })
}

/** Nothing is added to it that a caller did not ask for. */
export const contentType = 'application/json;odata.metadata=minimal'

/** Of an answer that is no record: what became of the elements of a list. */
export const jsonContentType = 'application/json; charset=utf-8'

const isJson = (name: string): boolean =>
  ['application/json', 'application/*', '*/*'].includes(name)

const isServed = (parameter: string): boolean => {
  const [name = '', value = ''] = parameter.split('=').map((part) => part.trim())
  if (name === 'q') return Number(value) > 0
  return served.get(name)?.includes(value) ?? false
}

const served: ReadonlyMap<string, readonly string[]> = new Map([
  ['odata.metadata', ['minimal']],
  ['metadata', ['minimal']],
  ['odata.streaming', ['true', 'false']],
  ['streaming', ['true', 'false']],
  ['ieee754compatible', ['false']],
  ['exponentialdecimals', ['true', 'false']],
  ['charset', ['utf-8', 'utf8']],
])
