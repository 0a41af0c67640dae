// What administrators keep in order: integrations with their keys, people, and settings of the company.
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { administrationQuery } from '../../data/administration.ts'
import { useSession } from '../../data/session.ts'
import { Page } from '../../parts/Page.tsx'
import { Fetched, NoAccess } from '../../parts/States.tsx'
import { useText } from '../../text/text.tsx'
import { Keys } from './Keys.tsx'
import { People } from './People.tsx'
import { RefusedCalls } from './RefusedCalls.tsx'
import { Settings } from './Settings.tsx'
import { ExportWatch } from './Watches.tsx'
import './Administration.css'

export const Administration = () => {
  const { say } = useText()
  const { role } = useSession()
  return (
    <Page title={say.screens.administrasjon}>{role === 'admin' ? <Parts /> : <NoAccess />}</Page>
  )
}

const parts = ['nokler', 'kall', 'personer', 'innstillinger'] as const

const Parts = () => {
  const { say } = useText()
  const { vis = 'nokler' } = useSearch({ from: '/app/administrasjon' })
  const navigate = useNavigate({ from: '/app/administrasjon' })
  const query = useQuery(administrationQuery)
  return (
    <>
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.screens.administrasjon}
          value={vis}
          data={[
            { value: 'nokler', label: say.administration.keys },
            { value: 'kall', label: say.calls.title },
            { value: 'personer', label: say.administration.people },
            { value: 'innstillinger', label: say.administration.settings },
          ]}
          onChange={(value) => {
            const part = parts.find((one) => one === value)
            void navigate({ search: { vis: part === 'nokler' ? undefined : part }, replace: true })
          }}
        />
      </div>
      <Fetched query={query}>
        {(administration) => (
          <>
            {vis === 'nokler' && <Keys {...administration} />}
            {vis === 'kall' && <RefusedCalls />}
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
