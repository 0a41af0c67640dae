// A part of what the app says, in both languages: a text that one of them lacks does not compile.
import type { Language } from './language.ts'

/** Loaded with the screens that say it, and handed to `useText` by them. */
export type Section<Texts> = Readonly<Record<Language, Texts>>

export type Said<Of> = Of extends Section<infer Texts> ? Texts : never

export function section<const Texts>(nb: Texts, en: Texts): Section<Texts> {
  return { nb, en }
}

/** What every language has: the same names, and functions that take the same. */
export type Widened<T> = T extends string
  ? string
  : T extends readonly string[]
    ? readonly string[]
    : T extends (...parameters: infer Parameters) => string
      ? (...parameters: Parameters) => string
      : { readonly [Name in keyof T]: Widened<T[Name]> }
