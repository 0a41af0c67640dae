// Export: queue, history, latency and reconciliation.
import type { ExportOverview } from '../../../src/app/contract/export.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { exportQuery } from '../../api/export.ts'
import { useSession } from '../../api/session.ts'
import { hasFocusInDetail, ListWithDetail } from '../../components/DetailPane.tsx'
import { loadOnDemand } from '../../components/load-on-demand.tsx'
import { CurrencyNote, Page } from '../../components/Page.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { Loaded, EmptyState } from '../../components/QueryStates.tsx'
import { useExportDetailsText } from './details-i18n.ts'
import { RetrievalDetails } from './RetrievalDetails.tsx'
import { History } from './History.tsx'
import { LineDetails } from './LineDetails.tsx'
import { ExportQueue } from './ExportQueue.tsx'
import { Reconcile } from './Reconcile.tsx'

/** Lazy: it loads the chart library. */
const Latency = loadOnDemand(async () => (await import('./Latency.tsx')).Latency)

const views = ['ko', 'historikk', 'ventetid', 'avstemming'] as const

export function Export() {
  const { t } = useExportDetailsText()
  return (
    <Page title={t.screens.eksport} scope="material:read" aside={<CurrencyNote />}>
      <Loaded options={exportQuery}>
        {(overview) => (
          <>
            {overview.suspendedSince !== null && <ExportSuspended since={overview.suspendedSince} />}
            <Views overview={overview} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Views({ overview }: { overview: ExportOverview }) {
  const { t } = useExportDetailsText()
  const [search, change] = useSearchParams('/app/eksport')
  const { vis = 'ko', linje, uthenting, mottaker } = search
  const { departments } = useSession()
  const { destinations } = overview
  // The receiver's list has lines of every department.
  const shownViews = departments === null ? views : views.filter((view) => view !== 'avstemming')
  const close = () => {
    if (hasFocusInDetail()) document.querySelector<HTMLElement>('tr.open .row-open')?.focus()
    change({ linje: undefined, uthenting: undefined }, { replace: false, resetScroll: false })
  }
  const detail = linje !== undefined && (
    <LineDetails key={linje} destination={mottaker ?? destinations[0]?.id ?? 1} id={linje} onClose={close} />
  )
  return (
    <>
      <Tabs
        label={t.exportDetails.views.label}
        names={shownViews}
        current={vis}
        titles={t.exportDetails.views}
        linkTo={(name) => ({
          to: '/app/eksport',
          search: { ...search, vis: name === 'ko' ? undefined : name, fra: undefined, til: undefined },
          replace: true,
        })}
      />
      {vis === 'ko' && <ExportQueue overview={overview} detail={detail} />}
      {vis === 'historikk' && (
        <ListWithDetail detail={detail}>
          <History {...overview} />
        </ListWithDetail>
      )}
      {vis === 'ventetid' && <Latency destinations={destinations} />}
      {vis === 'avstemming' && <Reconcile destinations={destinations} />}
      {uthenting !== undefined && <RetrievalDetails id={uthenting} destinations={destinations} onClose={close} />}
    </>
  )
}

function ExportSuspended({ since }: { since: number }) {
  const { t, format } = useExportDetailsText()
  return (
    <EmptyState title={t.export.suspended(format.timestamp(since))} illustration="lock">
      <p>{t.export.suspendedText}</p>
      <p>
        {t.export.suspendedRelease} <code>dagsverk export release</code>
      </p>
    </EmptyState>
  )
}
