// A client over real sockets, which knows of every call whether it took effect.
import { Agent, request } from 'node:http'

/**
 * * `ok`: done. `refused`: certainly not done. `unknown`: no reply, or the reply says that the
 * outcome is unknown.
 */
export type Effect = 'ok' | 'refused' | 'unknown'

export interface Answered {
  readonly effect: Effect
  /** 0 without a reply. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed body; `unknown` would make every test cast. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export interface Sent {
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Client {
  call(method: string, path: string, sent?: Sent): Promise<Answered>
  /** Records of `Finn`, or entries of the log. */
  // oxlint-disable-next-line typescript/no-explicit-any
  read(path: string, options?: Readonly<Record<string, string>>): Promise<any[]>
  close(): void
}

/** `address` is called before each request, because a restarted server may have another port. */
export function openClient(key: string, address: () => string): Client {
  const agent = new Agent({ keepAlive: true })
  const call: Client['call'] = (method, path, { json, headers = {} } = {}) =>
    new Promise((resolve) => {
      const body = json === undefined ? undefined : JSON.stringify(json)
      const sending = request(new URL(path, address()), {
        method,
        agent,
        headers: {
          'tb-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      })
      let status = 0
      sending.on('response', (response) => {
        let text = ''
        status = response.statusCode ?? 0
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('error', (error) => resolve(noAnswer(error)))
        response.on('end', () => {
          if (response.complete) resolve(toAnswered(status, response.headers, text))
          else resolve(noAnswer(new Error('cut off')))
        })
      })
      sending.on('error', (error) => resolve(noAnswer(error)))
      sending.end(body)
    })
  return {
    call,
    read: async (path, options = {}) => {
      const { effect, text, json } = await call(
        'GET',
        `${path}?${new URLSearchParams(options).toString()}`,
      )
      if (effect !== 'ok') throw new Error(`${path} failed: ${text}`)
      return Array.isArray(json) ? json : json.value
    },
    close: () => agent.destroy(),
  }
}

function toAnswered(status: number, headers: Answered['headers'], text: string): Answered {
  return {
    effect: effectOf(status, text),
    status,
    headers,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}

function effectOf(status: number, text: string): Effect {
  if (status < 300) return 'ok'
  if (status < 500) return 'refused'
  return JSON.parse(text).error.outcome === 'not_applied' ? 'refused' : 'unknown'
}

// Without a connection nothing can have been done.
function noAnswer(error: Error): Answered {
  return {
    effect: 'code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'unknown',
    status: 0,
    headers: {},
    text: error.message,
    json: undefined,
  }
}
