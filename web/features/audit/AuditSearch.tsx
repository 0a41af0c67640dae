// Filters of the audit.
import { NativeSelect } from '@mantine/core'
import { useSearchParams, type ChangeSearch } from '../../app/use-search-params.ts'
import { everything } from './api.ts'
import { FilterField } from '../../components/FilterField.tsx'
import { exportText } from '../../i18n/export.ts'
import { auditText } from '../../i18n/audit.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function AuditSearch() {
  const { t } = useTranslation(auditText, exportText)
  const [{ linje, hvem, hva }, changeSearch] = useSearchParams('/app/revisjon')
  const change: ChangeSearch<'/app/revisjon'> = (changes) => changeSearch(changes, { replace: false })
  return (
    <>
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
    </>
  )
}
