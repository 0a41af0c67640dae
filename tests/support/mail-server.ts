// A real SMTP server on this machine, which accepts or rejects mail as the test decides.
import { once } from 'node:events'
import { beforeAll, beforeEach } from 'vitest'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { TestServerOptions } from './server.ts'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly messageId: string
  readonly text: string
  readonly html: string
  readonly raw: string
}

export interface MailServer {
  readonly port: number
  readonly url: string
  /** The options of a test server that sends its mail here. */
  readonly options: TestServerOptions
  /** In the order of arrival. */
  readonly received: ReceivedMail[]
  /** The reply to each recipient instead of acceptance; null accepts. */
  rejection: { readonly code: number; readonly text: string } | null
  stop(): Promise<void>
}

/** A mail server for all tests of a suite, without e-mail before each; declare it before the server that sends to it. */
export function useMailServer(): Omit<MailServer, 'rejection'> {
  const mailServer = {} as MailServer
  beforeAll(async () => {
    Object.assign(mailServer, await startMailServer())
    return () => mailServer.stop()
  })
  beforeEach(() => {
    mailServer.received.length = 0
  })
  return mailServer
}

/** `port` 0 takes a free one. */
export async function startMailServer(
  options: Partial<SMTPServerOptions> = {},
  port = 0,
  host = '127.0.0.1',
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, callback) => {
      const { rejection } = mailServer
      callback(rejection === null ? null : Object.assign(new Error(rejection.text), { responseCode: rejection.code }))
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [to] = session.envelope.rcptTo
        received.push(parseMail(to?.address ?? '', Buffer.concat(chunks).toString('latin1')))
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(port, host)
  await once(listening, 'listening')
  const address = listening.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : 0
  const url = `smtp://127.0.0.1:${boundPort}`
  const mailServer: MailServer = {
    port: boundPort,
    url,
    options: { settings: { smtpUrl: url, mailFrom: 'dagsverk@eksempel.no' } },
    received,
    rejection: null,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return mailServer
}

/** The link in an e-mail. */
export function linkIn({ text }: ReceivedMail): string {
  return /https?:\/\/\S+/.exec(text)?.[0] ?? ''
}

function parseMail(to: string, raw: string): ReceivedMail {
  const [head = ''] = raw.split('\r\n\r\n')
  const header = (name: string) =>
    new RegExp(`^${name}: (?<value>.*(?:\\r\\n\\s.*)*)`, 'im').exec(head)?.groups?.value ?? ''
  const boundary = /boundary="(?<boundary>[^"]+)"/.exec(head)?.groups?.boundary ?? ''
  const parts = raw.split(`--${boundary}`)
  const part = (type: string) => decodePart(parts.find((one) => one.includes(`Content-Type: ${type}`)))
  return {
    to,
    subject: decodeWords(header('Subject')),
    messageId: header('Message-ID'),
    text: part('text/plain'),
    html: part('text/html'),
    raw,
  }
}

function decodePart(part = ''): string {
  const at = part.indexOf('\r\n\r\n')
  const body = part.slice(at + 4)
  const encoding = /Content-Transfer-Encoding: (?<name>\S+)/.exec(part)?.groups?.name ?? ''
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding === 'quoted-printable') return decodeQuoted(body.replaceAll('=\r\n', ''))
  return Buffer.from(body, 'latin1').toString('utf8')
}

function decodeQuoted(text: string): string {
  return Buffer.from(
    text.replace(/=(?<hex>[\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}

/** RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?(?<how>[QB])\?(?<word>[^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
}
