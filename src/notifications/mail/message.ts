// Mail messages: plain text and HTML from one list of paragraphs.
import { html } from '../../lib/html.ts'

export interface MailMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A paragraph of text, or a link. */
export type Paragraph = string | { readonly link: string }

export function renderMessage(to: string, subject: string, paragraphs: readonly Paragraph[]): MailMessage {
  return {
    to,
    subject,
    text: `${paragraphs.map((one) => (typeof one === 'string' ? one : one.link)).join('\n\n')}\n`,
    html: html`<!doctype html> <meta charset="utf-8" /><title>${subject}</title>
      <body style="font: 16px/1.5 sans-serif; max-width: 36em; margin: 2em auto; padding: 0 1em">
        ${paragraphs.map((one) =>
          typeof one === 'string' ? html`<p>${one}</p> ` : html`<p><a href="${one.link}">${one.link}</a></p> `,
        )}
      </body> `.text,
  }
}

export function serializeMessage(message: MailMessage): string {
  return JSON.stringify(message)
}

export function parseMessage(stored: string): MailMessage | null {
  const read: unknown = JSON.parse(stored)
  const parts = new Map(Object.entries(typeof read === 'object' && read !== null ? read : {}))
  const [to, subject, text, html_] = ['to', 'subject', 'text', 'html'].map((name) => {
    const part: unknown = parts.get(name)
    return typeof part === 'string' ? part : undefined
  })
  return to === undefined || subject === undefined || text === undefined || html_ === undefined
    ? null
    : { to, subject, text, html: html_ }
}
