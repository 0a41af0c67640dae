// Who did what, the latest first, each entry with the beginning of its hash.
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { auditQuery } from '../data/audit.ts'
import { momentText } from '../data/format.ts'
import { useSession } from '../data/session.ts'
import { actorText } from '../parts/actor.ts'
import { Page } from '../parts/Page.tsx'
import { Fetched, NoAccess, State } from '../parts/States.tsx'
import { subjectText } from './audit-subject.ts'
import { auditText } from '../text/audit.ts'
import { exportText } from '../text/export.ts'
import { revenueText } from '../text/revenue.ts'
import { useText } from '../text/text.tsx'

export const Audit = () => {
  const { say } = useText()
  const { role } = useSession()
  return (
    <Page title={say.screens.revisjon}>
      {role === 'auditor' || role === 'admin' ? <Entries /> : <NoAccess />}
    </Page>
  )
}

const Entries = () => {
  const { say, language } = useText(auditText, exportText, revenueText)
  const { zone } = useSession()
  const query = useInfiniteQuery(auditQuery)
  const actions: Readonly<Record<string, string>> = say.audit.actions
  return (
    <Fetched query={query}>
      {({ pages }) => {
        const rows = pages.flat()
        if (rows.length === 0) return <State title={say.audit.empty}>{say.audit.emptyText}</State>
        return (
          <>
            <div className="sheet" tabIndex={0} role="region" aria-label={say.screens.revisjon}>
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
                      <td>{actions[row.action] ?? row.action}</td>
                      <td className="long-text">{subjectText(row, say)}</td>
                      <td>
                        <code className="stacked">{row.requestId}</code>
                        <code className="stacked muted">{row.hash.slice(0, 12)}</code>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <div className="pager">
              <Button
                variant="default"
                disabled={!query.hasNextPage}
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {say.audit.older}
              </Button>
            </div>
          </>
        )
      }}
    </Fetched>
  )
}
