// Checked requests: what the load generator sends to either server, and how a correct reply is recognized.
import { companyName, companyPassword, type DatasetSize } from './rows.ts'

/** The servers that understand the requests of a case. The baseline replies to anything. */
export type RequestDialect = 'dagsverk' | 'cap' | 'baseline'

/** A request, and the properties of a correct reply, which has status 200. */
export interface CheckedRequest {
  readonly request: Buffer
  readonly contains: Buffer
  /** The number of `{` in the reply; undefined where other requests of the case change it. */
  readonly braces?: number
  /** Replies are counted by it where a case sends several kinds of requests. */
  readonly name?: string
}

/** The choices that a request depends on. The same seed makes the same choices for every dialect. */
export interface RequestParameters {
  readonly size: DatasetSize
  readonly company: number
  /** The position of the request in its case. */
  readonly index: number
  readonly random: (below: number) => number
  /** The company's replies to the preparatory reads of the case. */
  readonly prepared: readonly unknown[]
}

export type RequestBuilder = (parameters: RequestParameters) => CheckedRequest

export type RequestBuilders = Partial<Record<RequestDialect, RequestBuilder>>

export const capRoot = '/odata/v4/bench'

/** A path with credentials in the query string, as in the interface specification. */
export function companyPath(company: number, path: string, options: readonly string[] = []): string {
  const credentials = [`firma=${companyName(company)}`, `passord=${companyPassword(company)}`]
  return `${path}?${[...credentials, ...options].map(encodeURI).join('&')}`
}

export function revenuePath(company: number, action: string, options: readonly string[] = []): string {
  return companyPath(company, `/dev/Omsetning/${action}`, options)
}

export function capPath(set: string, options: readonly string[]): string {
  return `${capRoot}/${set}?${options.map(encodeURI).join('&')}`
}

export function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n`)
}

export function bodyRequest(method: string, path: string, body: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`
  return Buffer.from(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

/** What the baseline is sent for every case. */
export function baselineRequest(): CheckedRequest {
  return { request: getRequest('/'), contains: Buffer.from('"fill":'), braces: 1 }
}
