// DepartmentFilter: one department of the directory, or all.
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { departmentsQuery } from '../api/sets.ts'
import { revenueText } from '../i18n/revenue.ts'
import { useTranslation } from '../i18n/translation.tsx'

interface DepartmentFilterProps {
  /** Undefined for all. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

export function DepartmentFilter({ value, onChange }: DepartmentFilterProps) {
  const { t } = useTranslation(revenueText)
  const { data: names } = useQuery(departmentsQuery)
  return (
    <NativeSelect
      aria-label={t.revenue.department}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      data={[
        { value: '', label: t.revenue.allDepartments },
        ...[...(names ?? [])].map(([code, name]) => ({ value: code, label: `${code} ${name}` })),
      ]}
    />
  )
}
