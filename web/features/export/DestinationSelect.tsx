// DestinationSelect: chooses the destination; kept in the URL.
import type { ExportDestination } from '../../../src/app/contract/export.ts'
import { NativeSelect } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { exportText } from '../../i18n/export.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface DestinationSelectProps {
  readonly destinations: readonly ExportDestination[]
  readonly onChange?: () => void
}

/** Hidden when there is only one. */
export function DestinationSelect({ destinations, onChange }: DestinationSelectProps) {
  const { t } = useTranslation(exportText)
  const navigate = useNavigate({ from: '/app/eksport' })
  const destination = useDestination(destinations)
  if (destinations.length < 2) return null
  return (
    <NativeSelect
      aria-label={t.export.destination}
      value={String(destination)}
      data={destinations.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={({ currentTarget: { value } }) => {
        onChange?.()
        void navigate({ search: (last) => ({ ...last, mottaker: Number(value) }), replace: true })
      }}
    />
  )
}

/** The destination of the URL, or the first. */
export function useDestination(destinations: readonly ExportDestination[]): number {
  const { mottaker } = useSearch({ from: '/app/eksport' })
  return destinations.find(({ id }) => id === mottaker)?.id ?? destinations[0]?.id ?? 1
}
