// The language of the app: chosen by the user, or the browser's; a text that is missing does not compile.
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { setAskingLanguage } from '../data/ask.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import { nb, type Texts } from './nb.ts'

interface Chosen {
  readonly language: Language
  readonly say: Texts
  readonly choose: (language: Language) => void
}

const catalogues: Readonly<Record<Language, Texts>> = { nb, en }

const LanguageContext = createContext<Chosen>({ language: 'nb', say: nb, choose: () => {} })

export const useText = (): Chosen => useContext(LanguageContext)

export const LanguageProvider = ({ children }: { children: ReactNode }) => {
  const [language, setLanguage] = useState<Language>(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    setAskingLanguage(language)
  }, [language])
  const choose = (chosen: Language) => {
    localStorage.setItem(storedAs, chosen)
    setAskingLanguage(chosen)
    setLanguage(chosen)
  }
  return (
    <LanguageContext value={{ language, say: catalogues[language], choose }}>
      {children}
    </LanguageContext>
  )
}

const storedAs = 'dagsverk-language'

const firstLanguage = (): Language => {
  const stored = localStorage.getItem(storedAs)
  if (stored === 'nb' || stored === 'en') return stored
  return navigator.languages.some((one) => /^(nb|nn|no)\b/i.test(one)) ? 'nb' : 'en'
}
