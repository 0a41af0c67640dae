// Audit: entries, newest first, searched by line, person and action.
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { auditQuery, type AuditRow, type AuditSought } from './api.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched, NoAccess, NoMatch, State } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { auditText } from '../../i18n/audit.ts'
import { useText } from '../../i18n/translation.tsx'
import { handOutOf, lineOf, subjectText } from './audit-subject.ts'
import { AuditSearch } from './AuditSearch.tsx'
import './Audit.css'

const route = getRouteApi('/app/revisjon')

export function Audit() {
  const { say } = useText()
  const { role } = useSession()
  return (
    <Page title={say.screens.revisjon}>
      {role === 'auditor' || role === 'admin' ? <Entries /> : <NoAccess />}
    </Page>
  )
}

function Entries() {
  const { say } = useText(approvalText, auditText, revenueText)
  const { linje, hvem, hva } = route.useSearch()
  const sought: AuditSought = { line: linje, actor: hvem, action: hva }
  const query = useInfiniteQuery(auditQuery(sought))
  return (
    <>
      <AuditSearch sought={sought} />
      <p className="muted hint">
        {say.audit.elsewhere}{' '}
        <Link to="/app/omsetning" search={{ vis: 'dager' }}>
          {say.revenue.views.days}
        </Link>
        {linje !== undefined && (
          <>
            {' · '}
            <Link to="/app/godkjenning" search={{ linje }}>
              {say.approvals.line(linje)}
            </Link>
          </>
        )}
      </p>
      <Fetched query={query}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows)
          return (
            <>
              {rows.length === 0 ? (
                <Nothing
                  isSought={linje !== undefined || hvem !== undefined || hva !== undefined}
                />
              ) : (
                <Table rows={rows} />
              )}
              {query.hasNextPage && (
                <div className="pager">
                  <Button
                    variant="default"
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {say.audit.older}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Fetched>
    </>
  )
}

function Nothing({ isSought }: { isSought: boolean }) {
  const { say } = useText(auditText)
  if (!isSought) return <State title={say.audit.empty}>{say.audit.emptyText}</State>
  return (
    <NoMatch
      clear={
        <Link to="/app/revisjon" search={{}}>
          {say.states.clearFilter}
        </Link>
      }
    />
  )
}

function Table({ rows }: { rows: readonly AuditRow[] }) {
  const { say, language } = useText(auditText, exportText, revenueText)
  const { zone } = useSession()
  const actions: Readonly<Record<string, string>> = say.audit.actions
  return (
    <div
      className="table-scroll audit"
      tabIndex={0}
      role="region"
      aria-label={say.screens.revisjon}
    >
      <table>
        <thead>
          <tr>
            <th scope="col" className="number">
              {say.audit.number}
            </th>
            <th scope="col">{say.export.columns.at}</th>
            <th scope="col">{say.export.columns.by}</th>
            <th scope="col">{say.export.columns.what}</th>
            <th scope="col">{say.audit.which}</th>
            <th scope="col">{say.audit.evidence}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="number">{row.id}</td>
              <td>{momentText(row.at, language, zone)}</td>
              <td>{actorText(row.actor, say)}</td>
              <td className="strong">{actions[row.action] ?? row.action}</td>
              <td className="long-text">
                <Subject row={row} />
              </td>
              <td>
                <code className="stacked">{row.requestId}</code>
                <code className="stacked muted">{row.hash.slice(0, 12)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A link, when the entry is about a single line or retrieval. */
function Subject({ row }: { row: AuditRow }) {
  const { say } = useText(auditText)
  const text = subjectText(row, say)
  const line = lineOf(row)
  const handOut = handOutOf(row)
  if (line !== null)
    return (
      <Link to="/app/godkjenning" search={{ linje: line }}>
        {text}
      </Link>
    )
  if (handOut !== null)
    return (
      <Link to="/app/eksport" search={{ uthenting: handOut }}>
        {text}
      </Link>
    )
  return text
}
