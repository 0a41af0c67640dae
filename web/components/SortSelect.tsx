// SortSelect: the order of a list of cards, which have no column titles.
import { NativeSelect } from '@mantine/core'
import { useTranslation } from '../i18n/translation.tsx'
import type { TableOrder } from './Table.tsx'

interface SortSelectProps extends TableOrder {
  readonly choices: readonly (readonly [name: string, title: string])[]
}

export function SortSelect({ choices, order, onSort }: SortSelectProps) {
  const { sortBy } = useTranslation().t.table
  const data = choices.flatMap(([value, title]) => [
    { value, label: `${title} ↑` },
    { value: `-${value}`, label: `${title} ↓` },
  ])
  return (
    <NativeSelect
      aria-label={sortBy}
      value={order ?? ''}
      data={[{ value: '', label: sortBy }, ...data]}
      onChange={({ currentTarget }) => onSort(currentTarget.value || undefined)}
    />
  )
}
