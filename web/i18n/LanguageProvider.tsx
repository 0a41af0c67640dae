// Providers of the user's language, chosen or taken from the browser, and of the time zone.
import { useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { setRequestLanguage } from '../api/client.ts'
import type { Language } from '../../src/app/contract/session.ts'
import { catalogues, createFormat, LanguageContext } from './translation.ts'

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
  return <LanguageContext value={{ language, format, selectLanguage }}>{children}</LanguageContext>
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
