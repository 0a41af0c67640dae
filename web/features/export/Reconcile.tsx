// Reconcile: uploads or pastes the receiver's list, for a destination and period.
import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { reconcileWith, type Naming, type Reconciled } from './details-api.ts'
import type { Destination } from '../../api/export.ts'
import { FileOrPaste } from '../../components/FileOrPaste.tsx'
import { useExportStoryText } from './details-i18n.ts'
import { Buckets } from './ReconcileResult.tsx'
import { useDestination } from './DestinationSelect.tsx'

const namings: readonly Naming[] = ['id', 'external', 'key']

export function Reconciling({ destinations }: { destinations: readonly Destination[] }) {
  const say = useExportStoryText()
  const { fra, til } = useSearch({ from: '/app/eksport' })
  const navigate = useNavigate({ from: '/app/eksport' })
  const destination = useDestination(destinations)
  const [by, setBy] = useState<Naming>('id')
  /** Stays visible while the list is compared again. */
  const [found, setFound] = useState<Reconciled | null>(null)
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (file: Blob) => reconcileWith({ file, destination, by, from: fra, to: til }),
    onSuccess: setFound,
  })
  const compare = (file: Blob) => {
    setFound(null)
    mutate(file)
  }
  const change = (changes: { mottaker?: number; fra?: string; til?: string }) => {
    setFound(null)
    void navigate({ search: (last) => ({ ...last, ...changes }), replace: true })
  }
  return (
    <section className="page-section" aria-labelledby="reconcile">
      <h2 id="reconcile">{say.reconcile}</h2>
      <p className="muted">{say.reconcileText}</p>
      <div className="toolbar">
        <NativeSelect
          label={say.destination}
          value={String(destination)}
          data={destinations.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={({ currentTarget }) => change({ mottaker: Number(currentTarget.value) })}
        />
        <TextInput
          type="date"
          label={say.from}
          value={fra ?? ''}
          onChange={({ currentTarget }) => change({ fra: currentTarget.value })}
        />
        <TextInput
          type="date"
          label={say.to}
          value={til ?? ''}
          onChange={({ currentTarget }) => change({ til: currentTarget.value })}
        />
        <NativeSelect
          label={say.by}
          value={by}
          data={namings.map((value) => ({ value, label: say.namings[value] }))}
          onChange={({ currentTarget }) => {
            setFound(null)
            setBy(namings.find((one) => one === currentTarget.value) ?? 'id')
          }}
        />
      </div>
      <div className="panel">
        <FileOrPaste
          accept=".csv,.txt,.json,.xlsx"
          say={{ chooseFile: say.chooseFile, paste: say.paste, usePaste: say.compare }}
          isBusy={isPending}
          error={error}
          onChoose={compare}
        />
      </div>
      {found !== null && (
        <Buckets
          destination={destination}
          found={found}
          onChanged={() => variables !== undefined && mutate(variables)}
        />
      )}
    </section>
  )
}
