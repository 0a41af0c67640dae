// Hands letters to the mail server of the house; the only place that speaks SMTP.
import { createTransport } from 'nodemailer'
import { isLoopback } from '../../lib/network.ts'
import type { Letter } from './message.ts'

export interface Sender {
  /** `id` is the same at every attempt, so that a receiver can tell that it has the letter. Throws `Unsent`. */
  send(letter: Letter, id: string): Promise<void>
}

/** Why a letter was not taken. */
export class Unsent extends Error {
  /** The mailbox or the letter was refused for good: another attempt would fare no better. */
  readonly isFinal: boolean
  /** The step and the number that the mail server answered; neither addresses nor secrets. */
  readonly problem: string

  constructor(isFinal: boolean, problem: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'Unsent'
    this.isFinal = isFinal
    this.problem = problem
  }
}

/** `url` and `from` as they are configured; a connection for each letter. */
export function senderTo(url: string, from: string): Sender {
  const { hostname, port, protocol, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isSecure = protocol === 'smtps:'
  const isHere = host === 'localhost' || isLoopback(host)
  const user = decodeURIComponent(username)
  const transport = createTransport({
    host,
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    // Letters hold links that open accounts: they cross a network under TLS or not at all.
    requireTLS: !isHere,
    ignoreTLS: isHere,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.replace(/^.*@|>$/g, '')
  return {
    send: async ({ to, ...letter }, id) => {
      try {
        await transport.sendMail({
          ...letter,
          from,
          // As an object, so that nothing in an address is read as a second one.
          to: { name: '', address: to },
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw unsent(error)
      }
    },
  }
}

/** Of each step; a letter that was taken out of the outbox goes or fails well before another server takes it. */
const timeoutMs = 20_000

function unsent(error: unknown): Unsent {
  const { code, command, responseCode } = told(error)
  const isAboutLetter = command === 'RCPT TO' || command === 'DATA'
  const isRefused = responseCode >= 500 && responseCode !== 503
  const words = [code, command, responseCode === 0 ? '' : String(responseCode)]
  const problem = words.filter((word) => word !== '').join(' ')
  return new Unsent(isAboutLetter && isRefused, problem, error)
}

function told(error: unknown) {
  const parts = new Map(Object.entries(error instanceof Error ? error : {}))
  const text = (name: string): string => {
    const part: unknown = parts.get(name)
    return typeof part === 'string' ? part : ''
  }
  const responseCode: unknown = parts.get('responseCode')
  return {
    code: text('originalCode') || text('code'),
    command: text('command'),
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
  }
}
