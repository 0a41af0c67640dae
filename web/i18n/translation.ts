// useTranslation: texts in the user's language, chosen or taken from the browser.
import { createContext, useContext } from 'react'
import { parseActor } from '../api/actor.ts'
import { createFormatter } from '../api/format.ts'
import type { Language } from '../../src/app/contract/session.ts'
import { translate, type TextsOf, type TextTree } from './define-texts.ts'
import { frameTexts, type Texts } from './frame.ts'

/** Loaded with the screens that use it. */
export type Section<Texts> = Readonly<Record<Language, Texts>>

export type Translation<Of> = Of extends Section<infer Texts> ? Texts : never

export function defineSection<const Tree>(texts: Tree & TextTree): Section<TextsOf<Tree>>
export function defineSection(texts: TextTree): Section<unknown> {
  return { nb: translate(texts, 0), en: translate(texts, 1) }
}

interface TranslationContext {
  readonly language: Language
  readonly format: ReturnType<typeof createFormat>
  readonly selectLanguage: (language: Language) => void
}

export const catalogues = defineSection(frameTexts)

export function createFormat(language: Language, zone: string) {
  return {
    ...createFormatter(language, zone),
    actor: (actor: string) => formatActor(actor, catalogues[language]),
    /** The text of a code, or a code that has none: of a newer server, or of a receiver. */
    code: (texts: Readonly<Record<string, string>>, code: string) => texts[code] ?? code,
  }
}

export const LanguageContext = createContext<TranslationContext>({
  language: 'nb',
  format: createFormat('nb', 'UTC'),
  selectLanguage: () => {},
})

/** A hook for the texts of the frame and of these sections. */
export function defineTranslation<const Sections extends readonly Section<object>[]>(
  ...sections: Sections
): () => TranslationContext & { readonly t: Texts & MergedTranslations<Sections> }
export function defineTranslation(...sections: readonly Section<object>[]) {
  const textsIn = (language: Language): object =>
    Object.assign({}, catalogues[language], ...sections.map((section) => section[language]))
  // Not at each call: every cell of a long list asks for its texts.
  const texts = { nb: textsIn('nb'), en: textsIn('en') }
  return function useTexts() {
    const context = useContext(LanguageContext)
    return { ...context, t: texts[context.language] }
  }
}

export const useTranslation = defineTranslation()

type MergedTranslations<Sections extends readonly unknown[]> = Sections extends readonly [
  Section<infer Said>,
  ...infer Others,
]
  ? Said & MergedTranslations<Others>
  : unknown

/** Display name of an actor, as the server names it (`Kari Berg <kari@fjord.example>`, `key:…`, `password`, …). */
function formatActor(actor: string, { actors }: Texts): string {
  if (actor === 'password' || actor === 'anonymous' || actor === 'groups') return actors[actor]
  if (actor.startsWith('user:')) return actors.user(Number(actor.slice(5)))
  if (actor.startsWith('password:')) return actors.passwordOf(actor.slice(9))
  return actor.startsWith('key:') ? actors.key(actor.slice(4)) : parseActor(actor).name
}
