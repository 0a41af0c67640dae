// WorkList: a list of issues with count and sum.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { departmentsQuery } from '../../api/sets.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { dataQualityText } from './i18n.ts'

interface WorkListProps {
  readonly name: string
  readonly title: string
  readonly text: string
  readonly count: number
  readonly sum: number | null
  readonly children: ReactNode
}

export function WorkList({ name, title, text, count, sum, children }: WorkListProps) {
  const { t, format } = useTranslation(dataQualityText)
  const counted = format.count(count)
  return (
    <section className="page-section" aria-labelledby={name}>
      <h2 id={name}>
        {title}{' '}
        <span className="muted">{sum === null ? counted : t.dataQuality.count(counted, format.amount(sum, 2))}</span>
      </h2>
      <p className="muted hint">{text}</p>
      {children}
    </section>
  )
}

export function useDepartmentName() {
  const { t } = useTranslation()
  const { data: names } = useQuery(departmentsQuery)
  return (id: string) => (id === '' ? t.revenue.withoutDepartment : (names?.get(id) ?? id))
}
