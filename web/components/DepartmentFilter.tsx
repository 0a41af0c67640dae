// DepartmentFilter: one department of the directory, or all.
import { useQuery } from '@tanstack/react-query'
import { departmentsQuery } from '../api/sets.ts'
import { useRevenueText } from '../i18n/revenue.ts'
import { ChoiceSelect, type Choice } from './ChoiceSelect.tsx'

interface DepartmentFilterProps {
  /** Undefined for all. */
  readonly value: string | undefined
  /** '' for all. */
  readonly onChange: (code: string) => void
}

export function DepartmentFilter({ value, onChange }: DepartmentFilterProps) {
  const { t } = useRevenueText()
  const { data: names } = useQuery(departmentsQuery)
  return (
    <ChoiceSelect
      aria-label={t.revenue.department}
      value={value ?? ''}
      choices={[['', t.revenue.allDepartments], ...toCodeChoices(names)]}
      onPick={onChange}
    />
  )
}

/** Of codes and their names, which are undefined until loaded. */
export function toCodeChoices(names: ReadonlyMap<string, string> = new Map()): readonly Choice<string>[] {
  return [...names].map(([code, name]) => [code, `${code} ${name}`])
}
