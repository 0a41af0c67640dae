// HTTP client of the app: JSON requests, CSRF token, and errors as RequestError.
import { recordOffline, recordReply } from './connectivity.ts'
import { appPaths } from '../../src/app/contract/endpoints.ts'
import type { MethodName, PathReplying } from '../../src/app/contract/path.ts'
import type { Session } from '../../src/app/contract/session.ts'

/** An error response of the server, or code `Offline` when it could not be reached. */
export class RequestError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  /** Where the error is, like `$filter:17`. */
  readonly target: string | null
  /** Its errors, with the names of the API for their fields; `message` has none. */
  readonly details: readonly ReplyErrorDetail[]

  constructor(
    code: string,
    status: number,
    message: string,
    requestId: string | null,
    target: string | null = null,
    details: readonly ReplyErrorDetail[] = [],
  ) {
    // The message asks the reader to report the id.
    super(code === 'InternalError' && requestId !== null ? `${message} (${requestId})` : message)
    this.target = target
    this.details = details
    this.code = code
    this.status = status
    this.requestId = requestId
  }
}

export interface ReplyErrorDetail {
  readonly target: string | null
  readonly message: string
}

let csrfToken = ''
let language = 'nb'
let texts = { offlineTitle: '', field: '' }
let lastInteractionAt = Date.now()
let recovery: SessionRecovery | null = null

/** Sent with every write; only a page of this origin can read it. */
export function setCsrfToken(csrf: string): void {
  csrfToken = csrf
}

/** With the message of requests that do not reach the server, and the word for a field that an error is about. */
export function setRequestLanguage(chosen: string, { offlineTitle, field }: typeof texts): void {
  language = chosen
  texts = { offlineTitle, field }
}

export function createOfflineError(): RequestError {
  return new RequestError('Offline', 0, texts.offlineTitle, null)
}

/** What leads back to the session that the page was opened in. */
export interface SessionRecovery {
  /** Asks the user to sign in again or, if another tab opened the session of another user or company, to choose one. */
  readonly ask: (replacement: Session | null) => Promise<void>
  /** Reads the session again, with its CSRF token. */
  readonly reload: () => Promise<unknown>
}

/** Null while nobody is signed in. */
export function setSessionRecovery(next: SessionRecovery | null): void {
  recovery = next
}

/** False when nobody is signed in; otherwise waits until the user is in the session of this page again. */
export async function recoverSession(replacement: Session | null = null): Promise<boolean> {
  if (recovery === null) return false
  await recovery.ask(replacement)
  return true
}

export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof RequestError && codes.includes(error.code)
}

for (const event of ['pointerdown', 'keydown'])
  window.addEventListener(event, () => void (lastInteractionAt = Date.now()), { passive: true })

type HeaderFields = Readonly<Record<string, string>>

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body?: string | Blob | undefined
  readonly headers?: HeaderFields
}

export type QueryParams = Readonly<Record<string, string | number | undefined>>

type Paths = typeof appPaths

type NameOf<Method extends MethodName> = {
  [Name in keyof Paths]: Paths[Name] extends PathReplying<Method, unknown> ? Name : never
}[keyof Paths]

export type GetName = NameOf<'get'>
export type PostName = NameOf<'post'>
export type PostBody<Name extends PostName> = Paths[Name]['methods']['post']['body']
export type PostReply<Name extends PostName> = Paths[Name]['methods']['post']['reply']

export function get<Name extends GetName>(
  name: Name,
  params: QueryParams = {},
): Promise<Paths[Name]['methods']['get']['reply']> {
  return sendJson('GET', toUrl(name, params), undefined)
}

/** The same response as text, in another format. */
export async function getText(name: GetName, params: QueryParams, format: string): Promise<string> {
  return (await fetchOrThrow({ method: 'GET', path: toUrl(name, params), headers: { Accept: format } })).text()
}

export function post<Name extends PostName>(
  name: Name,
  body: PostBody<Name>,
  { params = {}, headers = {} }: { params?: QueryParams; headers?: HeaderFields } = {},
): Promise<PostReply<Name>> {
  return sendJson('POST', toUrl(name, params), body, headers)
}

export function del<Name extends NameOf<'delete'>>(
  name: Name,
  body: Paths[Name]['methods']['delete']['body'],
  params: QueryParams = {},
): Promise<Paths[Name]['methods']['delete']['reply']> {
  return sendJson('DELETE', toUrl(name, params), body)
}

/** Uploads a file unchanged. */
export async function upload<Name extends NameOf<'upload'>>(
  name: Name,
  file: Blob,
  params: QueryParams,
): Promise<Paths[Name]['methods']['upload']['reply']> {
  return (await sendFile(toUrl(name, params), file)).json()
}

/** The address of an endpoint: parameters that its path names are put there, the others in the query string. */
export function toUrl(name: keyof Paths, params: QueryParams): string {
  const path = appPaths[name]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter)
  const filled = path.replace(/:(\w+)/g, (_, parameter) => encodeURIComponent(params[parameter] ?? ''))
  const others = Object.entries(params).filter(([parameter]) => !names.includes(parameter))
  return filled + queryString(Object.fromEntries(others))
}

export function queryString(query: QueryParams): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : [`${encodeURIComponent(name).replace('%24', '$')}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}

/** For a path outside of the contract. */
export async function sendJson<Reply>(
  method: string,
  path: string,
  body: unknown,
  headers: HeaderFields = {},
): Promise<Reply> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const typed = sent === undefined ? headers : { ...headers, 'Content-Type': 'application/json' }
  const response = await fetchOrThrow({ method, path, body: sent, headers: typed })
  const text = await response.text()
  const reviver = directionOverride.test(text) ? stripDirectionOverrides : undefined
  return JSON.parse(text === '' ? 'null' : text, reviver)
}

/** Reverses the text after it on the screen, so that a name reads as another one. Codes keep it, because they are keys. */
const directionOverride = /[\u202A-\u202E]/

function stripDirectionOverrides(member: string, value: unknown): unknown {
  return typeof value === 'string' && /name$|^Navn$|remark$|^Merknad$/i.test(member)
    ? value.replace(/[\u202A-\u202E]/g, '')
    : value
}

/** The response may be streamed. */
export function sendFile(path: string, file: Blob): Promise<Response> {
  return fetchOrThrow({ method: 'POST', path, body: file, headers: { 'Content-Type': 'application/octet-stream' } })
}

/**
 * Throws a `RequestError` for every error response, and when the server cannot be reached. A request that was rejected
 * because the session has expired, or was replaced in another tab, was not executed: it is sent again once the user is
 * in this session again, so that nothing that was typed is lost.
 */
async function fetchOrThrow(request: SentRequest): Promise<Response> {
  const sentToken = csrfToken
  try {
    return await fetchOnce(request)
  } catch (error) {
    if (!(await canSendAgain(request, error, sentToken))) throw error
    return fetchOrThrow(request)
  }
}

async function canSendAgain({ path }: SentRequest, error: unknown, sentToken: string): Promise<boolean> {
  if (hasErrorCode(error, 'SessionExpired')) return path !== appPaths.session && recoverSession()
  if (!hasErrorCode(error, 'CsrfRejected')) return false
  if (csrfToken === sentToken) await recovery?.reload()
  return csrfToken !== sentToken
}

/** Throws RequestError `Offline` when the server cannot be reached. */
export async function checkConnection(): Promise<void> {
  await fetchOnce({ method: 'GET', path: '/livez' })
}

async function fetchOnce({ method, path, body, headers = {} }: SentRequest): Promise<Response> {
  const startedAt = Date.now()
  const response = await fetch(path, {
    method,
    headers: {
      ...headers,
      'Accept-Language': language,
      ...(method === 'GET' ? {} : { 'X-CSRF-Token': csrfToken }),
      // An open page that nobody uses must not keep the session alive.
      ...(Date.now() - lastInteractionAt > 60_000 ? { 'X-Background': '1' } : {}),
    },
    ...(body === undefined ? {} : { body }),
  }).catch(() => {
    recordOffline()
    throw createOfflineError()
  })
  recordReply(startedAt)
  if (!response.ok) throw parseError(await response.text(), response)
  return response
}

function parseError(text: string, { status, headers }: Response): RequestError {
  try {
    const { code, message, requestId, target = null, details = [{ target, message }] } = JSON.parse(text).error
    const isOfField = target !== null && !target.startsWith('$') && message.startsWith(`${target} `)
    const shown = isOfField ? texts.field + message.slice(target.length) : message
    return new RequestError(code, status, shown, requestId, target, details)
  } catch {
    return new RequestError('Unreadable', status, text.slice(0, 200), headers.get('x-request-id'))
  }
}
