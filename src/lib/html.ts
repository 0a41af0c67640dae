// HTML template literals that escape every value that is not HTML itself.

/** Escaped HTML. Only `html` creates it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Null and false render nothing, for conditional parts. */
export type HtmlPart = string | number | Html | readonly Html[] | null | false

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const pieces = strings.map((string, index) => string + escapePart(parts[index] ?? null))
  return new Html(pieces.join(''))
}

function escapePart(part: HtmlPart): string {
  if (part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
