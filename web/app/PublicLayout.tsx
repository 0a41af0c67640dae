// PublicLayout: the page frame for anonymous visitors.
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { LanguageSwitch, Logo } from './TopBar.tsx'
import './PublicLayout.css'

export function PublicLayout({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation()
  useDocumentTitle(`${title} · ${t.appName}`)
  return (
    <div className="sign-in">
      <header>
        <span className="brand">
          <Logo />
          <span>{t.appName}</span>
        </span>
        <LanguageSwitch />
      </header>
      <main>
        <h1>{title}</h1>
        {children}
      </main>
      <Landscape />
    </div>
  )
}

/** Mountains and a fjord at the lower edge of the window. */
function Landscape() {
  return (
    <svg className="landscape" viewBox="0 0 1200 220" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <circle cx="905" cy="78" r="34" fill="var(--sun)" />
      <path d="M0 220v-80l150-70 110 60L430 30l170 120 120-60 150 90 140-70 190 80v30z" fill="var(--accent-soft)" />
      <path d="M0 220v-22l260-34 220 34 260-44 240 40 220-26v52z" fill="var(--fjord)" />
    </svg>
  )
}
