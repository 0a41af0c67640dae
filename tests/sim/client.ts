// A client over real sockets, which knows of every call whether it took effect.
import { Agent, request } from 'node:http'

/**
 * * `ok`: done. `refused`: certainly not done. `unknown`: no reply, or the reply says that the
 * outcome is unknown.
 */
export type Effect = 'ok' | 'refused' | 'unknown'

export interface SimReply {
  readonly effect: Effect
  /** 0 without a reply. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed body; `unknown` would make every test cast. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export interface SimRequest {
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface SimClient {
  call(method: string, path: string, sent?: SimRequest): Promise<SimReply>
  /** Records of `Finn`, or entries of the log. */
  // oxlint-disable-next-line typescript/no-explicit-any
  read(path: string, options?: Readonly<Record<string, string>>): Promise<any[]>
}

/** `address` is called before each request, because a restarted server may have another port. */
export function openSimClient(key: string, address: () => string): SimClient {
  const agent = new Agent({ keepAlive: true })
  const call: SimClient['call'] = (method, path, { json, headers = {} } = {}) =>
    new Promise((resolve) => {
      const body = json === undefined ? undefined : JSON.stringify(json)
      const outgoing = request(new URL(path, address()), {
        method,
        agent,
        headers: { 'tb-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      })
      let status = 0
      outgoing.on('response', (response) => {
        let text = ''
        status = response.statusCode ?? 0
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('error', (error) => resolve(noReply(error)))
        response.on('end', () => {
          if (response.complete) resolve(toSimReply(status, response.headers, text))
          else resolve(noReply(new Error('cut off')))
        })
      })
      outgoing.on('error', (error) => resolve(noReply(error)))
      outgoing.end(body)
    })
  return {
    call,
    read: async (path, options = {}) => {
      const { effect, text, json } = await call('GET', `${path}?${new URLSearchParams(options).toString()}`)
      if (effect !== 'ok') throw new Error(`${path} failed: ${text}`)
      return Array.isArray(json) ? json : json.value
    },
  }
}

function toSimReply(status: number, headers: SimReply['headers'], text: string): SimReply {
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
function noReply(error: Error): SimReply {
  return {
    effect: 'code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'unknown',
    status: 0,
    headers: {},
    text: error.message,
    json: undefined,
  }
}
