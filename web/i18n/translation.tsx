// useTranslation: texts in the user's language, chosen or taken from the browser.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { setAskingLanguage } from '../api/client.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { nb, type Texts } from './nb.ts'
import type { Section } from './define-section.ts'

interface Chosen<Said = Texts> {
  readonly language: Language
  readonly say: Said
  readonly choose: (language: Language) => void
}

const catalogues: Readonly<Record<Language, Texts>> = { nb, en }

const LanguageContext = createContext<Chosen>({ language: 'nb', say: nb, choose: () => {} })

/** Adds sections to the common texts; pass the same ones on every call. */
export function useText<const Sections extends readonly Section<object>[]>(
  ...sections: Sections
): Chosen<Texts & SaidBy<Sections>>
export function useText(...sections: readonly Section<object>[]) {
  const chosen = useContext(LanguageContext)
  const { language, say } = chosen
  const said = useMemo(
    () => Object.assign({}, say, ...sections.map((one) => one[language])),
    [language, say, ...sections],
  )
  return { ...chosen, say: said }
}

type SaidBy<Sections extends readonly unknown[]> = Sections extends readonly [
  Section<infer Said>,
  ...infer Others,
]
  ? Said & SaidBy<Others>
  : unknown

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    setAskingLanguage(language)
  }, [language])
  const selectLanguage = (chosen: Language) => {
    localStorage.setItem(storedAs, chosen)
    setAskingLanguage(chosen)
    setLanguage(chosen)
  }
  return (
    <LanguageContext value={{ language, say: catalogues[language], choose: selectLanguage }}>
      {children}
    </LanguageContext>
  )
}

const storedAs = 'dagsverk-language'

function firstLanguage(): Language {
  const stored = localStorage.getItem(storedAs)
  if (stored === 'nb' || stored === 'en') return stored
  return navigator.languages.some((one) => /^(nb|nn|no)\b/i.test(one)) ? 'nb' : 'en'
}
