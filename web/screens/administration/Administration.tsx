// What administrators keep in order: integrations with their keys, people, and settings of the company.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { administrationQuery } from '../../data/administration.ts'
import { useSession } from '../../data/session.ts'
import { Page } from '../../parts/Page.tsx'
import { Fetched, NoAccess } from '../../parts/States.tsx'
import { useText } from '../../text/text.tsx'
import { Keys } from './Keys.tsx'
import { People } from './People.tsx'
import { RefusedCalls } from './RefusedCalls.tsx'
import { Settings } from './Settings.tsx'
import { System } from './System.tsx'
import { ExportWatch } from './Watches.tsx'
import { Webhooks } from './Webhooks.tsx'
import './Administration.css'

export const Administration = () => {
  const { say } = useText()
  const { role } = useSession()
  return (
    <Page title={say.screens.administrasjon}>{role === 'admin' ? <Parts /> : <NoAccess />}</Page>
  )
}

const parts = ['nokler', 'kall', 'webhooks', 'personer', 'innstillinger', 'drift'] as const

const Parts = () => {
  const { say } = useText()
  const { isOperator } = useSession()
  const { vis = 'nokler' } = useSearch({ from: '/app/administrasjon' })
  const names: Readonly<Record<(typeof parts)[number], string>> = {
    nokler: say.administration.keys,
    kall: say.calls.title,
    webhooks: say.webhooks.title,
    personer: say.administration.people,
    innstillinger: say.administration.settings,
    drift: say.system.title,
  }
  const query = useQuery(administrationQuery)
  return (
    <>
      <nav className="parts" aria-label={say.screens.administrasjon}>
        {parts
          .filter((part) => part !== 'drift' || isOperator)
          .map((part) => (
            <Link
              key={part}
              className="part"
              to="/app/administrasjon"
              search={part === 'nokler' ? {} : { vis: part }}
              activeOptions={{ exact: true }}
              aria-current={part === vis ? 'page' : undefined}
            >
              {names[part]}
            </Link>
          ))}
      </nav>
      <Fetched query={query}>
        {(administration) => (
          <>
            {vis === 'nokler' && <Keys {...administration} />}
            {vis === 'kall' && <RefusedCalls />}
            {vis === 'webhooks' && <Webhooks />}
            {vis === 'drift' && <System />}
            {vis === 'personer' && <People {...administration} />}
            {vis === 'innstillinger' && (
              <>
                <Settings {...administration} />
                <ExportWatch {...administration} />
              </>
            )}
          </>
        )}
      </Fetched>
    </>
  )
}
