// useDepartmentName: the name of a department by its code, which may be missing or unknown.
import { useQuery } from '@tanstack/react-query'
import { departmentsQuery } from '../api/sets.ts'
import { useTranslation } from '../i18n/translation.ts'

export function useDepartmentName() {
  const { t } = useTranslation()
  const { data: names } = useQuery(departmentsQuery)
  return (id: string) => (id === '' ? t.revenue.withoutDepartment : (names?.get(id) ?? id))
}
