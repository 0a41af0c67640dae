// WorkList: a list of issues with count and sum.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { amountText, countText } from '../../api/format.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { useText } from '../../i18n/translation.tsx'
import { useTidyingText } from './i18n.ts'

interface WorkListProps {
  readonly name: string
  readonly title: string
  readonly text: string
  readonly count: number
  readonly sum: number | null
  readonly children: ReactNode
}

export function WorkList({ name, title, text, count, sum, children }: WorkListProps) {
  const say = useTidyingText()
  const { language } = useText()
  const counted = countText(count, language)
  return (
    <section className="page-section" aria-labelledby={name}>
      <h2 id={name}>
        {title}{' '}
        <span className="muted">
          {sum === null ? counted : say.count(counted, amountText(sum, language))}
        </span>
      </h2>
      <p className="muted hint">{text}</p>
      {children}
    </section>
  )
}

export function useDepartmentName() {
  const { say } = useText()
  const { data: names } = useQuery(departmentsQuery)
  return (id: string) => (id === '' ? say.revenue.withoutDepartment : (names?.get(id) ?? id))
}
