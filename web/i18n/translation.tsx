// useTranslation: texts in the user's language, chosen or taken from the browser.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { parseActor } from '../api/actor.ts'
import { setRequestLanguage } from '../api/client.ts'
import { createFormatter } from '../api/format.ts'
import type { Language } from '../../src/app/contract/session.ts'
import { frameTexts, type Texts } from './frame.ts'
import { defineSection, type Section } from './define-section.ts'

interface TranslationContext<Said = Texts> {
  readonly language: Language
  readonly t: Said
  readonly format: ReturnType<typeof createFormat>
  readonly selectLanguage: (language: Language) => void
}

const catalogues = defineSection(frameTexts)

function createFormat(language: Language, zone: string) {
  return { ...createFormatter(language, zone), actor: (actor: string) => formatActor(actor, catalogues[language]) }
}

const LanguageContext = createContext<TranslationContext>({
  language: 'nb',
  t: catalogues.nb,
  format: createFormat('nb', 'UTC'),
  selectLanguage: () => {},
})

/** Adds sections to the texts of the frame. */
export function useTranslation<const Sections extends readonly Section<object>[]>(
  ...sections: Sections
): TranslationContext<Texts & MergedTranslations<Sections>>
export function useTranslation(...sections: readonly Section<object>[]): TranslationContext {
  const chosen = useContext(LanguageContext)
  const { language, t } = chosen
  return { ...chosen, t: sections.reduce((said, section) => addSection(said, section[language]), t) }
}

/** The same object each time: every cell of a long list asks for its texts. */
function addSection(texts: Texts, section: object): Texts {
  const known = merged.get(texts) ?? new WeakMap<object, Texts>()
  merged.set(texts, known)
  const said = known.get(section) ?? { ...texts, ...section }
  known.set(section, said)
  return said
}

/** By the texts before it, and the section. */
const merged = new WeakMap<Texts, WeakMap<object, Texts>>()

type MergedTranslations<Sections extends readonly unknown[]> = Sections extends readonly [
  Section<infer Said>,
  ...infer Others,
]
  ? Said & MergedTranslations<Others>
  : unknown

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(initialLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    setRequestLanguage(language, catalogues[language].states)
  }, [language])
  const format = useMemo(() => createFormat(language, 'UTC'), [language])
  const selectLanguage = (chosen: Language) => {
    localStorage.setItem(storageKey, chosen)
    setRequestLanguage(chosen, catalogues[chosen].states)
    setLanguage(chosen)
  }
  return (
    <LanguageContext value={{ language, t: catalogues[language], format, selectLanguage }}>{children}</LanguageContext>
  )
}

/** Below it, times are in this zone. */
export function TimeZoneProvider({ zone, children }: { zone: string; children: ReactNode }) {
  const outer = useContext(LanguageContext)
  const { language } = outer
  const format = useMemo(() => createFormat(language, zone), [language, zone])
  return <LanguageContext value={{ ...outer, format }}>{children}</LanguageContext>
}

const storageKey = 'dagsverk-language'

function initialLanguage(): Language {
  const stored = localStorage.getItem(storageKey)
  if (stored === 'nb' || stored === 'en') return stored
  return navigator.languages.some((one) => /^(nb|nn|no)\b/i.test(one)) ? 'nb' : 'en'
}

/** Display name of an actor, as the server names it (`Kari Berg <kari@fjord.example>`, `key:…`, `password`, …). */
function formatActor(actor: string, { actors }: Texts): string {
  if (actor === 'password' || actor === 'anonymous' || actor === 'groups') return actors[actor]
  if (actor.startsWith('user:')) return actors.user(Number(actor.slice(5)))
  if (actor.startsWith('password:')) return actors.passwordOf(actor.slice(9))
  return actor.startsWith('key:') ? actors.key(actor.slice(4)) : parseActor(actor).name
}
