// HTML by template: whatever is put into one is text, unless it was made by one.

/** Text that is HTML already. Only `html` makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Null and false are nothing, so that a part may be left out by a condition. */
export type Part = string | number | Html | readonly Html[] | null | false

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((string, index) => string + written(parts[index] ?? null))
  return new Html(pieces.join(''))
}

function written(part: Part): string {
  if (part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
