// Audit: entries, newest first, searched by line, person and action.
import type { AuditRow } from '../../../src/app/contract/administration.ts'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { Page } from '../../components/Page.tsx'
import { NoAccess } from '../../components/QueryStates.tsx'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { FilterField } from '../../components/FilterField.tsx'
import { usePages } from '../../components/use-pages.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { auditText } from '../../i18n/audit.ts'
import { defineTranslation } from '../../i18n/translation.ts'
import { settingsText } from '../administration/settings-i18n.ts'
import { getRetrievalId, getLineId, formatSubject } from './audit-subject.ts'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { get, type QueryParams } from '../../api/client.ts'

export function Audit() {
  const { t } = useAuditText()
  const { role } = useSession()
  return <Page title={t.screens.revisjon}>{role === 'auditor' || role === 'admin' ? <Entries /> : <NoAccess />}</Page>
}

function Entries() {
  const { t } = useAuditText()
  const [{ linje, hvem, hva }, change] = useSearchParams('/app/revisjon')
  const filter = {
    line: linje,
    actor: hvem,
    action: hva === everything ? undefined : hva,
    signIns: hva === undefined ? 'without' : undefined,
  }
  return (
    <>
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
      <AuditTable
        filter={filter}
        onClear={[linje, hvem, hva].some(Boolean) ? () => change(noFilter, { replace: false }) : undefined}
      />
    </>
  )
}

function AuditTable({ filter, onClear }: { filter: QueryParams; onClear: (() => void) | undefined }) {
  const { t, format } = useAuditText()
  return (
    <DataTable
      name="revisjon"
      label={t.screens.revisjon}
      tools={<AuditSearch />}
      {...usePages(auditQuery(filter), auditQuery(filter, 'auditFile'))}
      empty={[t.audit.empty, t.audit.emptyText]}
      onClear={onClear}
      keyOf={({ id }) => id}
      columns={[
        { value: 'id', title: t.table.number, isNumber: true, isMinor: true },
        { value: 'at', title: t.table.at, type: 'timestamp' },
        { value: 'actor', title: t.table.by, type: 'actor' },
        {
          title: t.export.columns.what,
          isRowHeader: true,
          className: 'strong',
          value: ({ action }) => format.code(t.audit.actions, action),
        },
        {
          key: 'details',
          title: t.audit.details,
          isLong: true,
          value: (row) => formatSubject(row, t, (ids) => ids),
          show: (row) => <AuditSubject row={row} />,
        },
        { value: 'requestId', title: t.table.request, isHidden: true, isLong: true },
        { value: 'hash', title: t.table.hash, isHidden: true, show: ({ hash }) => <code>{hash.slice(0, 12)}</code> },
      ]}
    />
  )
}

const noFilter = { linje: undefined, hvem: undefined, hva: undefined }

function AuditSearch() {
  const { t } = useAuditText()
  const [{ linje, hvem, hva }, changeSearch] = useSearchParams('/app/revisjon')
  const change: typeof changeSearch = (changes) => changeSearch(changes, { replace: false })
  return (
    <>
      <FilterField
        key={`line ${linje}`}
        label={t.audit.line}
        value={linje === undefined ? '' : String(linje)}
        isNumber
        onSet={(text) => change({ linje: text && Number(text) })}
      />
      <FilterField
        key={`who ${hvem}`}
        label={t.audit.who}
        value={hvem ?? ''}
        onSet={(text) => change({ hvem: text })}
      />
      <ChoiceSelect
        aria-label={t.export.columns.what}
        value={hva ?? ''}
        choices={[['', t.audit.notSignIns], [everything, t.audit.allActions], ...Object.entries(t.audit.actions)]}
        onPick={(action) => change({ hva: action })}
      />
    </>
  )
}

/** A link, when the entry is about a single line or retrieval. */
function AuditSubject({ row }: { row: AuditRow }) {
  const { t } = useAuditText()
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

/** In the URL, in place of an action. */
const everything = 'alt'

/** From `auditFile` in larger pages, after signing in again. */
function auditQuery(filter: QueryParams, from: 'audit' | 'auditFile' = 'audit') {
  return infiniteQueryOptions({
    queryKey: ['audit', from, filter],
    queryFn: ({ pageParam }) => get(from, { ...filter, before: pageParam === 0 ? undefined : pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

const useAuditText = defineTranslation(approvalText, auditText, exportText, revenueText, settingsText)
