// SMTP client: hands messages to the configured mail server.
import { isLoopbackHost } from '../../lib/network.ts'
import type { MailMessage } from './message.ts'
import { messageOf } from '../../lib/operator-error.ts'

export interface MailSender {
  /** `id` is the same for every attempt, so that a receiver can detect duplicates. Throws `MailSendError`. */
  send(message: MailMessage, id: string): Promise<void>
}

/** A message that the mail server did not accept. */
export class MailSendError extends Error {
  /** The mailbox or the message was rejected permanently, so a retry is useless. */
  readonly isFinal: boolean
  /** The SMTP command and reply code; contains no addresses and no secrets. */
  readonly problem: string

  constructor(isFinal: boolean, problem: string, cause: unknown) {
    super(messageOf(cause), { cause })
    this.name = 'Unsent'
    this.isFinal = isFinal
    this.problem = problem
  }
}

/** `url` and `from` as configured. Opens one connection per message, for `sendMs` at most. */
export function createMailSender(url: string, from: string, sendMs = 120_000): MailSender {
  const { hostname, port, protocol, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isSecure = protocol === 'smtps:'
  const isLocal = isLoopbackHost(host)
  const user = decodeURIComponent(username)
  const settings = {
    host,
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    // Messages contain links that give access to accounts, so they cross a network only with TLS.
    requireTLS: !isLocal,
    ignoreTLS: isLocal,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const domain = from.replace(/^.*@|>$/g, '')
  return {
    send: async ({ to, ...message }, id) => {
      // Loaded by the first message, because few processes send any.
      const { createTransport } = await import('nodemailer')
      try {
        await createTransport(settings).sendMail({
          ...message,
          from,
          // As an object, so that an address cannot be parsed as several.
          to: { name: '', address: to },
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          // A server that sends a little at a time, or hesitates at each step, must not delay the other messages.
          signal: AbortSignal.timeout(sendMs),
        })
      } catch (error) {
        throw toSendError(error)
      }
    },
  }
}

/** Per step. */
const timeoutMs = 20_000

function toSendError(error: unknown): MailSendError {
  const { code, command, responseCode } = smtpDetails(error)
  const concernsMessage = command === 'RCPT TO' || command === 'DATA'
  const isRejected = responseCode >= 500 && responseCode !== 503
  const words = [code, command, responseCode === 0 ? '' : String(responseCode)]
  const problem = words.filter((word) => word !== '').join(' ')
  return new MailSendError(concernsMessage && isRejected, problem, error)
}

function smtpDetails(error: unknown) {
  const parts = new Map(Object.entries(error instanceof Error ? error : {}))
  const text = (name: string): string => {
    const part: unknown = parts.get(name)
    return typeof part === 'string' ? part : ''
  }
  const responseCode: unknown = parts.get('responseCode')
  const code = text('originalCode') || text('code')
  return {
    code: code === 'EABORT' ? 'ETIMEDOUT' : code,
    command: text('command'),
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
  }
}
