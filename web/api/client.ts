// HTTP client of the app: JSON requests, CSRF token, and errors as RequestError.
import { noteAway, noteHeard } from './connectivity.ts'

/** An error response of the server, or code `Offline` when it could not be reached. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  /** Where the error is, like `$filter:17`. */
  readonly target: string | null

  constructor(
    code: string,
    status: number,
    message: string,
    requestId: string | null,
    target: string | null = null,
  ) {
    super(message)
    this.target = target
    this.code = code
    this.status = status
    this.requestId = requestId
  }
}

let token = ''
let language = 'nb'
let lastTouch = Date.now()

/** Sent with every write; only a page of this origin can read it. */
export function setToken(csrf: string): void {
  token = csrf
}

export function setAskingLanguage(asked: string): void {
  language = asked
}

for (const event of ['pointerdown', 'keydown'])
  window.addEventListener(event, () => void (lastTouch = Date.now()), { passive: true })

type Named = Readonly<Record<string, string>>

export type Query = Readonly<Record<string, string | number | undefined>>

/** The JSON of a GET; the caller states its type. */
export async function ask<Answer>(path: string, query: Query = {}): Promise<Answer> {
  return send<Answer>('GET', path + addressOf(query), undefined)
}

/** The same response as text, in another format. */
export async function askText(path: string, query: Query, format: string): Promise<string> {
  return (await respond('GET', path + addressOf(query), undefined, { Accept: format })).text()
}

export async function act<Answer = null>(
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Named = {},
): Promise<Answer> {
  return send<Answer>(method, path, body, headers)
}

export function addressOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : [`${encodeURIComponent(name).replace('%24', '$')}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}

async function send<Answer>(
  method: string,
  path: string,
  body: unknown,
  headers: Named = {},
): Promise<Answer> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const typed = sent === undefined ? headers : { ...headers, 'Content-Type': 'application/json' }
  const response = await respond(method, path, sent, typed)
  const text = await response.text()
  return JSON.parse(text === '' ? 'null' : text)
}

/** Uploads a file unchanged; the response may be streamed. */
export function sendFile(path: string, file: Blob): Promise<Response> {
  return respond('POST', path, file, { 'Content-Type': 'application/octet-stream' })
}

/** Throws a `RequestError` for every error response, and when the server cannot be reached. */
async function respond(
  method: string,
  path: string,
  body: string | Blob | undefined,
  headers: Named,
): Promise<Response> {
  const askedAt = Date.now()
  const response = await fetch(path, {
    method,
    headers: {
      ...headers,
      'Accept-Language': language,
      ...(method === 'GET' ? {} : { 'X-CSRF-Token': token }),
      // An open page that nobody uses must not keep the session alive.
      ...(Date.now() - lastTouch > 60_000 ? { 'X-Unattended': '1' } : {}),
    },
    ...(body === undefined ? {} : { body }),
  }).catch(() => {
    noteAway()
    throw new Refusal('Offline', 0, '', null)
  })
  noteHeard(askedAt)
  if (!response.ok) throw refusalIn(await response.text(), response)
  return response
}

function refusalIn(text: string, { status, headers }: Response): Refusal {
  try {
    const { error } = JSON.parse(text)
    return new Refusal(error.code, status, error.message, error.requestId, error.target ?? null)
  } catch {
    return new Refusal('Unreadable', status, text.slice(0, 200), headers.get('x-request-id'))
  }
}
