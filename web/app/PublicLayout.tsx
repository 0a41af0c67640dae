// PublicLayout: the page frame for anonymous visitors.
import { useEffect, type ReactNode } from 'react'
import { useText } from '../i18n/translation.tsx'
import { LanguageSwitch, Mark } from './TopBar.tsx'
import './PublicLayout.css'

interface FrontProps {
  readonly title: string
  readonly children: ReactNode
}

export function Front({ title, children }: FrontProps) {
  const { say } = useText()
  useEffect(() => {
    document.title = `${title} · ${say.appName}`
  }, [title, say])
  return (
    <div className="sign-in">
      <header>
        <span className="brand">
          <Mark />
          <span>{say.appName}</span>
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
