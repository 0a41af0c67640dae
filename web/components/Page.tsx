// Page: heading, aside and document title of a screen, for users with its scope.
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Scope } from '../../src/app/contract/session.ts'
import { useSession } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.ts'
import { NoAccess } from './QueryStates.tsx'

interface PageProps {
  readonly title: string
  /** Without it the user has no access. */
  readonly scope?: Scope
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, scope, aside, children }: PageProps) {
  const { t } = useTranslation()
  const { scopes } = useSession()
  useDocumentTitle(`${title} · ${t.appName}`)
  return (
    <>
      <header className="page-head">
        <h1>{title}</h1>
        {aside !== undefined && <div className="page-aside">{aside}</div>}
      </header>
      {scope === undefined || scopes.includes(scope) ? children : <NoAccess />}
    </>
  )
}

/** The currency of all amounts of a screen. */
export function CurrencyNote() {
  const { t } = useTranslation()
  const { currency } = useSession()
  return <span className="muted">{t.revenue.currency(currency)}</span>
}
