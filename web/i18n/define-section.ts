// Sections of the translations: a text that is missing in one language does not compile.
import type { Language } from '../../src/app/contract/session.ts'

/** A text in both languages, or a list of paragraphs. */
type TextPair = readonly [nb: string, en: string] | readonly [nb: readonly string[], en: readonly string[]]

/** Texts by name; one with parameters is a function. */
interface TextTree {
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

/** Loaded with the screens that use it, and passed to `useTranslation`. */
export type Section<Texts> = Readonly<Record<Language, Texts>>

export type Translation<Of> = Of extends Section<infer Texts> ? Texts : never

/** Texts that are part of several sections. */
export function defineTexts<const Tree>(texts: Tree & TextTree): Tree {
  return texts
}

export function defineSection<const Tree>(texts: Tree & TextTree): Section<TextsOf<Tree>>
export function defineSection(texts: TextTree): Section<unknown> {
  return { nb: translate(texts, 0), en: translate(texts, 1) }
}

function translate(texts: TextTree[string], language: 0 | 1): unknown {
  if (Array.isArray(texts)) return texts[language]
  if (typeof texts === 'function') return (...parameters: never) => texts(...parameters)[language]
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, translate(text, language)]))
}
