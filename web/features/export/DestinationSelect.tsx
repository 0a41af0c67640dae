// DestinationSelect: chooses the destination; kept in the URL.
import type { ExportDestination } from '../../../src/app/contract/export.ts'
import { NativeSelect } from '@mantine/core'
import { useSearchParams } from '../../app/use-search-params.ts'
import { exportText } from '../../i18n/export.ts'
import { useTranslation } from '../../i18n/translation.tsx'

/** Hidden when there is only one. */
export function DestinationSelect({ destinations }: { destinations: readonly ExportDestination[] }) {
  const { t } = useTranslation(exportText)
  const [, change] = useSearchParams('/app/eksport')
  const destination = useDestination(destinations)
  if (destinations.length < 2) return null
  return (
    <NativeSelect
      aria-label={t.export.destination}
      value={String(destination)}
      data={destinations.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={({ currentTarget }) => change({ mottaker: Number(currentTarget.value) })}
    />
  )
}

/** The destination of the URL, or the first. */
export function useDestination(destinations: readonly ExportDestination[]): number {
  const [{ mottaker }] = useSearchParams('/app/eksport')
  return destinations.find(({ id }) => id === mottaker)?.id ?? destinations[0]?.id ?? 1
}
