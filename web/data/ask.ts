// Asks the server, and turns its refusals into something that a screen can show.
import { noteAway, noteHeard } from './reach.ts'

/** What the server refused, or that it could not be reached (`code` is `Offline`). */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  /** Where it broke, like `$filter:17`. */
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

/** Every act carries it: only a page of this server can have read it. */
export const setToken = (csrf: string): void => {
  token = csrf
}

export const setAskingLanguage = (asked: string): void => {
  language = asked
}

for (const event of ['pointerdown', 'keydown'])
  window.addEventListener(event, () => void (lastTouch = Date.now()), { passive: true })

export type Query = Readonly<Record<string, string | number | undefined>>

/** The JSON of an answer; the caller says what it is. */
export const ask = async <Answer>(path: string, query: Query = {}): Promise<Answer> =>
  send<Answer>('GET', path + addressOf(query), undefined)

export const act = async <Answer = null>(
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => send<Answer>(method, path, body, headers)

export const addressOf = (query: Query): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : [`${encodeURIComponent(name).replace('%24', '$')}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}

const send = async <Answer>(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const response = await fetch(path, {
    method,
    headers: {
      ...headers,
      'Accept-Language': language,
      ...(method === 'GET' ? {} : { 'X-CSRF-Token': token }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      // An open page that nobody sits at does not keep its session alive.
      ...(Date.now() - lastTouch > 60_000 ? { 'X-Unattended': '1' } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    noteAway()
    throw new Refusal('Offline', 0, '', null)
  })
  noteHeard()
  const text = await response.text()
  if (!response.ok) throw refusalIn(text, response)
  return JSON.parse(text === '' ? 'null' : text)
}

const refusalIn = (text: string, { status, headers }: Response): Refusal => {
  try {
    const { error } = JSON.parse(text)
    return new Refusal(error.code, status, error.message, error.requestId, error.target ?? null)
  } catch {
    return new Refusal('Unreadable', status, text.slice(0, 200), headers.get('x-request-id'))
  }
}
