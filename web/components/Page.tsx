// Page: heading, aside and document title of a screen.
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.ts'

interface PageProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, aside, children }: PageProps) {
  const { t } = useTranslation()
  useDocumentTitle(`${title} · ${t.appName}`)
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
