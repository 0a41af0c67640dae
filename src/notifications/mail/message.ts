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
