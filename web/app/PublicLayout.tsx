// PublicLayout: the page frame for anonymous visitors.
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.tsx'
import { LanguageSwitch, Logo } from './TopBar.tsx'
import './PublicLayout.css'

interface PublicLayoutProps {
  readonly title: string
  readonly children: ReactNode
}

export function PublicLayout({ title, children }: PublicLayoutProps) {
  const { t } = useTranslation()
  useEffect(() => {
    document.title = `${title} · ${t.appName}`
  }, [title, t])
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
    </div>
  )
}
