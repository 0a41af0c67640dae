// Filters of the audit, and its CSV download.
import { Button, NativeSelect } from '@mantine/core'
import { useSearchParams, type ChangeSearch } from '../../app/use-search-params.ts'
import { get } from '../../api/client.ts'
import { everything, type AuditFilter } from './api.ts'
import { downloadCsv } from '../../api/csv.ts'
import { useSession } from '../../api/session.ts'
import { FilterField } from '../../components/FilterField.tsx'
import { Icon } from '../../components/Icon.tsx'
import { useAction } from '../../components/use-action.ts'
import { FormError } from '../../components/FormError.tsx'
import { exportText } from '../../i18n/export.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { formatSubject } from './audit-subject.ts'

export function AuditSearch({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation(auditText, exportText)
  const [{ linje, hvem, hva }, changeSearch] = useSearchParams('/app/revisjon')
  const change: ChangeSearch<'/app/revisjon'> = (changes) => changeSearch(changes, { replace: false })
  return (
    <div className="toolbar">
      <FilterField
        key={`line ${linje}`}
        label={t.audit.line}
        value={linje === undefined ? '' : String(linje)}
        isNumber
        onSet={(text) => change({ linje: text === '' ? undefined : Number(text) })}
      />
      <FilterField
        key={`who ${hvem}`}
        label={t.audit.who}
        value={hvem ?? ''}
        onSet={(text) => change({ hvem: text || undefined })}
      />
      <NativeSelect
        aria-label={t.export.columns.what}
        value={hva ?? ''}
        onChange={({ currentTarget }) => change({ hva: currentTarget.value || undefined })}
        data={[
          { value: '', label: t.audit.notSignIns },
          { value: everything, label: t.audit.allActions },
          ...Object.entries(t.audit.actions).map(([value, label]) => ({ value, label })),
        ]}
      />
      <span className="spacer" />
      <DownloadButton filter={filter} />
    </div>
  )
}

function DownloadButton({ filter }: { filter: AuditFilter }) {
  const { t, format } = useTranslation(auditText, exportText, revenueText)
  const { company } = useSession()
  const download = async () => {
    const rows = (await get('auditFile', { ...filter })).rows
    const actions: Readonly<Record<string, string>> = t.audit.actions
    const { columns } = t.export
    downloadCsv(`${t.screens.revisjon.toLowerCase()}_${company}.csv`, [
      [t.audit.number, columns.at, columns.by, columns.what, t.audit.which, t.audit.request, t.audit.hash],
      ...rows.map((row) => [
        String(row.id),
        new Date(row.at / 1000).toISOString(),
        format.actor(row.actor),
        actions[row.action] ?? row.action,
        formatSubject(row, t, (ids) => ids),
        row.requestId,
        row.hash,
      ]),
    ])
  }
  const { mutate, error } = useAction(download, { refreshes: [] })
  return (
    <>
      <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={() => mutate()}>
        {t.audit.download}
      </Button>
      <FormError text={error?.message ?? null} />
    </>
  )
}
