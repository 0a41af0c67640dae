// Reconcile: uploads or pastes the receiver's list, for a destination and period.
import type { ExportDestination, IdentifierKind, ReconcileReport } from '../../../src/app/contract/export.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from '../../app/use-search-params.ts'
import { upload } from '../../api/client.ts'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { DayField } from '../../components/DayField.tsx'
import { FileOrPaste } from '../../components/FileOrPaste.tsx'
import { ReconcileResult } from './ReconcileResult.tsx'
import { DestinationSelect, useDestination } from './DestinationSelect.tsx'
import { useExportDetailsText } from './details-i18n.ts'

const identifierKinds: readonly IdentifierKind[] = ['id', 'external', 'key']

export function Reconcile({ destinations }: { destinations: readonly ExportDestination[] }) {
  const { t } = useExportDetailsText()
  const [{ fra, til }, change] = useSearchParams('/app/eksport')
  const [by, setBy] = useState<IdentifierKind>('id')
  const parameters = { destination: useDestination(destinations), by, from: fra, to: til }
  const parametersText = JSON.stringify(parameters)
  /** With the parameters that it was made for; stays visible while the list is compared again. */
  const [found, setFound] = useState<{ parametersText: string; report: ReconcileReport } | null>(null)
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (file: Blob) => upload('exportReconcile', file, parameters),
    onSuccess: (report) => setFound({ parametersText, report }),
  })
  const compare = (file: Blob) => {
    setFound(null)
    mutate(file)
  }
  return (
    <section className="page-section" aria-labelledby="reconcile">
      <h2 id="reconcile">{t.exportDetails.reconcile}</h2>
      <p className="muted">{t.exportDetails.reconcileText}</p>
      <div className="toolbar">
        <DestinationSelect destinations={destinations} hasLabel />
        <DayField label={t.exportDetails.from} value={fra ?? ''} isOptional onPick={(day) => change({ fra: day })} />
        <DayField label={t.exportDetails.to} value={til ?? ''} isOptional onPick={(day) => change({ til: day })} />
        <ChoiceSelect
          label={t.exportDetails.by}
          value={by}
          choices={identifierKinds.map((kind) => [kind, t.exportDetails.namings[kind]])}
          onPick={setBy}
        />
      </div>
      <div className="panel">
        <FileOrPaste
          accept=".csv,.txt,.json,.xlsx"
          t={{
            chooseFile: t.exportDetails.chooseFile,
            paste: t.exportDetails.paste,
            usePaste: t.exportDetails.compare,
          }}
          isBusy={isPending}
          error={error}
          onChoose={compare}
        />
      </div>
      {found?.parametersText === parametersText && (
        <ReconcileResult
          destination={parameters.destination}
          found={found.report}
          onChanged={() => variables !== undefined && mutate(variables)}
        />
      )}
    </section>
  )
}
