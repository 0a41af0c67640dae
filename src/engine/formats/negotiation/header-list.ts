// Parser of weighted header lists: Accept and Accept-Language (RFC 9110, 12.4.2).

export interface WeightedValue {
  /** In lower case, without parameters. */
  readonly name: string
  /** From 0, not acceptable, to 1. */
  readonly weight: number
}

/** The elements in order; invalid ones are skipped. */
export function parseWeightedList(header: string): WeightedValue[] {
  return splitOutsideQuotes(header, ',').flatMap((element) => {
    const [name = '', ...parameters] = splitOutsideQuotes(element, ';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    if (name === '') return []
    if (weight === undefined) return [{ name, weight: 1 }]
    return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? [{ name, weight: Number(weight.slice(2)) }] : []
  })
}

/** Splits at separators outside double quotes. */
export function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && isQuoted) at += 1
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
