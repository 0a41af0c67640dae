// Page: heading, aside and document title of a screen.
import { useEffect, type ReactNode } from 'react'
import { useText } from '../i18n/translation.tsx'

interface PageProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, aside, children }: PageProps) {
  const { say } = useText()
  useEffect(() => {
    document.title = `${title} · ${say.appName}`
  }, [title, say.appName])
  return (
    <>
      <header className="page-head">
        <h1>{title}</h1>
        {aside !== undefined && <div className="page-aside">{aside}</div>}
      </header>
      {children}
    </>
  )
}
