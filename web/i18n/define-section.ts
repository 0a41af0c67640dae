// Sections of the translations: a text that is missing in one language does not compile.
import type { Language } from './language.ts'

/** Loaded with the screens that use it, and passed to `useTranslation`. */
export type Section<Texts> = Readonly<Record<Language, Texts>>

export type Translation<Of> = Of extends Section<infer Texts> ? Texts : never

export function defineSection<const Texts>(nb: Texts, en: Texts): Section<Texts> {
  return { nb, en }
}

/** The shape that each language must have: the same keys, and functions of the same parameters. */
export type TranslationShape<T> = T extends string
  ? string
  : T extends readonly string[]
    ? readonly string[]
    : T extends (...parameters: infer Parameters) => string
      ? (...parameters: Parameters) => string
      : { readonly [Name in keyof T]: TranslationShape<T[Name]> }
