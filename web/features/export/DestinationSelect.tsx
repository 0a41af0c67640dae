// DestinationSelect: chooses the destination; kept in the URL.
import type { ExportDestination } from '../../../src/app/contract/export.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { useExportDetailsText } from './details-i18n.ts'

interface DestinationSelectProps {
  readonly destinations: readonly ExportDestination[]
  readonly hasLabel?: boolean
}

/** Hidden when there is only one. */
export function DestinationSelect({ destinations, hasLabel = false }: DestinationSelectProps) {
  const { t } = useExportDetailsText()
  const [, change] = useSearchParams('/app/eksport')
  const destination = useDestination(destinations)
  if (destinations.length < 2) return null
  return (
    <ChoiceSelect
      {...(hasLabel ? { label: t.export.destination } : { 'aria-label': t.export.destination })}
      value={String(destination)}
      choices={destinations.map(({ id, name }) => [String(id), name])}
      onPick={(id) => change({ mottaker: Number(id) })}
    />
  )
}

/** The destination of the URL, or the first. */
export function useDestination(destinations: readonly ExportDestination[]): number {
  const [{ mottaker }] = useSearchParams('/app/eksport')
  return destinations.find(({ id }) => id === mottaker)?.id ?? destinations[0]?.id ?? 1
}
