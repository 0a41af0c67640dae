// Texts in both languages: one that is missing in a language does not compile.

/** A text in both languages, or a list of paragraphs. */
type TextPair = readonly [nb: string, en: string] | readonly [nb: readonly string[], en: readonly string[]]

/** Texts by name; one with parameters is a function. */
export interface TextTree {
  readonly [name: string]: TextPair | ((...parameters: never) => TextPair) | TextTree
}

/** The same names, each with its text in one language. */
export type TextsOf<Tree> = Tree extends readonly [infer Text, unknown]
  ? Text extends string
    ? string
    : readonly string[]
  : Tree extends (...parameters: infer Parameters) => unknown
    ? (...parameters: Parameters) => string
    : { readonly [Name in keyof Tree]: TextsOf<Tree[Name]> }

/** Texts that are part of several sections. */
export function defineTexts<const Tree>(texts: Tree & TextTree): Tree {
  return texts
}

export function translate(texts: TextTree[string], language: 0 | 1): unknown {
  if (Array.isArray(texts)) return texts[language]
  if (typeof texts === 'function') return (...parameters: never) => texts(...parameters)[language]
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, translate(text, language)]))
}
