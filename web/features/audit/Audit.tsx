// Audit: entries, newest first, searched by line, person and action.
import type { AuditRow } from '../../../src/app/contract/administration.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { auditQuery, everything, type AuditFilter } from './api.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { QueryStates, NoAccess, NoMatch, EmptyState } from '../../components/QueryStates.tsx'
import { ShowMore } from '../../components/ShowMore.tsx'
import { Table } from '../../components/Table.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { auditText } from '../../i18n/audit.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { getRetrievalId, getLineId, formatSubject } from './audit-subject.ts'
import { AuditSearch } from './AuditSearch.tsx'

const route = getRouteApi('/app/revisjon')

export function Audit() {
  const { t } = useTranslation()
  const { role } = useSession()
  return <Page title={t.screens.revisjon}>{role === 'auditor' || role === 'admin' ? <Entries /> : <NoAccess />}</Page>
}

function Entries() {
  const { t } = useTranslation(approvalText, auditText, revenueText)
  const { linje, hvem, hva } = route.useSearch()
  const filter: AuditFilter = {
    line: linje,
    actor: hvem,
    action: hva === everything ? undefined : hva,
    signIns: hva === undefined ? 'without' : undefined,
  }
  const query = useInfiniteQuery(auditQuery(filter))
  return (
    <>
      <AuditSearch filter={filter} />
      <p className="muted hint">
        {t.audit.elsewhere}{' '}
        <Link to="/app/omsetning" search={{ vis: 'dager' }}>
          {t.revenue.views.days}
        </Link>
        {linje !== undefined && (
          <>
            {' · '}
            <Link to="/app/godkjenning" search={{ linje }}>
              {t.approvals.line(linje)}
            </Link>
          </>
        )}
      </p>
      <QueryStates query={query}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows)
          return (
            <>
              {rows.length === 0 ? (
                <NoEntries isFiltered={linje !== undefined || hvem !== undefined || hva !== undefined} />
              ) : (
                <AuditEntryTable rows={rows} />
              )}
              <ShowMore query={query}>{t.audit.older}</ShowMore>
            </>
          )
        }}
      </QueryStates>
    </>
  )
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation(auditText)
  if (!isFiltered) return <EmptyState title={t.audit.empty}>{t.audit.emptyText}</EmptyState>
  return (
    <NoMatch
      clear={
        <Link to="/app/revisjon" search={{}}>
          {t.states.clearFilter}
        </Link>
      }
    />
  )
}

function AuditEntryTable({ rows }: { rows: readonly AuditRow[] }) {
  const { t, format } = useTranslation(auditText, exportText)
  const actions: Readonly<Record<string, string>> = t.audit.actions
  return (
    <Table
      label={t.screens.revisjon}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: t.audit.number, isNumber: true, isMinor: true, show: ({ id }) => id },
        { title: t.export.columns.at, show: ({ at }) => format.timestamp(at) },
        { title: t.export.columns.by, isLong: true, show: ({ actor }) => format.actor(actor) },
        { title: t.export.columns.what, className: 'strong', show: ({ action }) => actions[action] ?? action },
        { title: t.audit.which, isLong: true, show: (row) => <AuditSubject row={row} /> },
        {
          title: t.audit.evidence,
          isMinor: true,
          isLong: true,
          show: ({ requestId, hash }) => (
            <code>
              {requestId} <span className="muted">{hash.slice(0, 12)}</span>
            </code>
          ),
        },
      ]}
    />
  )
}

/** A link, when the entry is about a single line or retrieval. */
function AuditSubject({ row }: { row: AuditRow }) {
  const { t } = useTranslation(auditText)
  const text = formatSubject(row, t)
  const line = getLineId(row)
  const retrieval = getRetrievalId(row)
  if (line !== null)
    return (
      <Link to="/app/godkjenning" search={{ linje: line }}>
        {text}
      </Link>
    )
  if (retrieval !== null)
    return (
      <Link to="/app/eksport" search={{ uthenting: retrieval }}>
        {text}
      </Link>
    )
  return text
}
