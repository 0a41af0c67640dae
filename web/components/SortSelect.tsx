// SortSelect: the order of a list of cards, which have no column titles.
import type { SortName } from '../../src/app/contract/approvals.ts'
import { NativeSelect } from '@mantine/core'
import { approvalText } from '../i18n/approvals.ts'
import { useTranslation } from '../i18n/translation.tsx'
import type { TableOrder } from './Table.tsx'

export function SortSelect({ names, order, onSort }: TableOrder & { readonly names: readonly SortName[] }) {
  const { t } = useTranslation(approvalText)
  const { sortBy, columns } = t.approvals
  const choices = names.flatMap((name) => [
    { value: name, label: `${columns[name]} ↑` },
    { value: `-${name}` as const, label: `${columns[name]} ↓` },
  ])
  return (
    <NativeSelect
      aria-label={sortBy}
      value={order ?? ''}
      data={[{ value: '', label: sortBy }, ...choices]}
      onChange={({ currentTarget }) => onSort(choices.find(({ value }) => value === currentTarget.value)?.value)}
    />
  )
}
