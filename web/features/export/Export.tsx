// Export: queue, history, latency and reconciliation.
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { exportQuery, type ExportOverview } from '../../api/export.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched, NoAccess, State } from '../../components/QueryStates.tsx'
import { useExportStoryText } from './details-i18n.ts'
import { exportText } from '../../i18n/export.ts'
import { useText } from '../../i18n/translation.tsx'
import { HandOutStory } from './RetrievalDetails.tsx'
import { History } from './History.tsx'
import { LineStory } from './LineDetails.tsx'
import { Queue } from './ExportQueue.tsx'
import { Reconciling } from './Reconcile.tsx'
import './Export.css'

/** Lazy: it loads the chart library. */
const Lag = lazy(async () => ({ default: (await import('./Latency.tsx')).Lag }))

const views = ['ko', 'historikk', 'ventetid', 'avstemming'] as const

export function Export() {
  const { say } = useText()
  const { currency, scopes } = useSession()
  const mayLook = scopes.includes('material:read')
  const query = useQuery({ ...exportQuery, enabled: mayLook })
  return (
    <Page
      title={say.screens.eksport}
      aside={<span className="muted">{say.revenue.currency(currency)}</span>}
    >
      {!mayLook && <NoAccess />}
      {mayLook && (
        <Fetched query={query}>
          {(overview) => (
            <>
              {overview.heldSince !== null && <Held since={overview.heldSince} />}
              <Views overview={overview} />
            </>
          )}
        </Fetched>
      )}
    </Page>
  )
}

function Views({ overview }: { overview: ExportOverview }) {
  const stories = useExportStoryText()
  const { vis = 'ko', linje, uthenting, mottaker } = useSearch({ from: '/app/eksport' })
  const { destinations } = overview
  const navigate = useNavigate({ from: '/app/eksport' })
  const close = () =>
    void navigate({ search: (last) => ({ ...last, linje: undefined, uthenting: undefined }) })
  const show = (value: string) => {
    const chosen = views.find((one) => one === value)
    const search = { vis: chosen === 'ko' ? undefined : chosen, fra: undefined, til: undefined }
    void navigate({ search: (last) => ({ ...last, ...search }), replace: true })
  }
  return (
    <>
      <div className="toolbar">
        <SegmentedControl
          aria-label={stories.views.label}
          value={vis}
          data={views.map((value) => ({ value, label: stories.views[value] }))}
          onChange={show}
        />
      </div>
      {vis === 'ko' && <Queue overview={overview} />}
      {vis === 'historikk' && <History {...overview} />}
      {vis === 'ventetid' && (
        <Suspense>
          <Lag destinations={destinations} />
        </Suspense>
      )}
      {vis === 'avstemming' && <Reconciling destinations={destinations} />}
      {linje !== undefined && (
        <LineStory
          key={linje}
          destination={mottaker ?? destinations[0]?.id ?? 1}
          id={linje}
          onClose={close}
        />
      )}
      {uthenting !== undefined && (
        <HandOutStory id={uthenting} destinations={destinations} onClose={close} />
      )}
    </>
  )
}

function Held({ since }: { since: number }) {
  const { say, language } = useText(exportText)
  const { zone } = useSession()
  return (
    <State title={say.export.held(momentText(since, language, zone))}>
      <p>{say.export.heldText}</p>
      <p>
        {say.export.heldRelease} <code>dagsverk export release</code>
      </p>
    </State>
  )
}
