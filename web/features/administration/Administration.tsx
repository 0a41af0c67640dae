// Administration: sections of the company, and of the server for its operator.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { administrationQuery } from './api.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched, NoAccess } from '../../components/QueryStates.tsx'
import { useCompanyText } from './companies-i18n.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import { Companies } from './Companies.tsx'
import { Keys } from './ApiKeys.tsx'
import { People } from './People.tsx'
import { RefusedCalls } from './RejectedCalls.tsx'
import { Settings } from './Settings.tsx'
import { System } from './System.tsx'
import { ExportWatch } from './AlertRules.tsx'
import { Webhooks } from './Webhooks.tsx'
import './Administration.css'

const ofCompany = ['nokler', 'kall', 'webhooks', 'personer', 'innstillinger'] as const

const ofServer = ['firmaer', 'drift'] as const

type Part = (typeof ofCompany)[number] | (typeof ofServer)[number]

export function Administration() {
  const { say } = useText()
  const { role, isOperator } = useSession()
  const parts = [...(role === 'admin' ? ofCompany : []), ...(isOperator ? ofServer : [])]
  const first = parts[0]
  return (
    <Page title={say.screens.administrasjon}>
      {first === undefined ? <NoAccess /> : <Parts parts={parts} first={first} />}
    </Page>
  )
}

function Parts({ parts, first }: { parts: readonly Part[]; first: Part }) {
  const { say } = useText(administrationText)
  const companies = useCompanyText()
  const { vis = first } = useSearch({ from: '/app/administrasjon' })
  const names: Readonly<Record<Part, string>> = {
    nokler: say.administration.keys,
    kall: say.calls.title,
    webhooks: say.webhooks.title,
    personer: say.administration.people,
    innstillinger: say.administration.settings,
    firmaer: companies.title,
    drift: say.system.title,
  }
  return (
    <>
      <nav className="subnav" aria-label={say.screens.administrasjon}>
        {parts.map((part) => (
          <Link
            key={part}
            className="subnav-link"
            to="/app/administrasjon"
            search={part === first ? {} : { vis: part }}
            activeOptions={{ exact: true }}
            aria-current={part === vis ? 'page' : undefined}
          >
            {names[part]}
          </Link>
        ))}
      </nav>
      {parts.includes(vis) ? <Shown part={vis} /> : <NoAccess />}
    </>
  )
}

function Shown({ part }: { part: Part }) {
  switch (part) {
    case 'firmaer':
      return <Companies />
    case 'drift':
      return <System />
    case 'kall':
      return <RefusedCalls />
    case 'webhooks':
      return <Webhooks />
    default:
      return <OfCompany part={part} />
  }
}

function OfCompany({ part }: { part: 'nokler' | 'personer' | 'innstillinger' }) {
  const query = useQuery(administrationQuery)
  return (
    <Fetched query={query}>
      {(administration) => (
        <>
          {part === 'nokler' && <Keys {...administration} />}
          {part === 'personer' && <People {...administration} />}
          {part === 'innstillinger' && (
            <>
              <Settings {...administration} />
              <ExportWatch {...administration} />
            </>
          )}
        </>
      )}
    </Fetched>
  )
}
