// Earlier imports, and undoing one.
import type { ImportRunSummary, ImportUndoReport } from '../../../src/app/contract/imports.ts'
import { post } from '../../api/client.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { useAction } from '../../components/use-action.ts'
import { useImportText } from './i18n.ts'

export function ImportHistory({ runs }: { runs: readonly ImportRunSummary[] }) {
  const { t, format } = useImportText()
  const { mutate, data, error, isPending, variables } = useAction(
    (run: number) => post('importUndo', { run: String(run) }),
    { refreshes: ['imports', 'set', 'revenue'] },
  )
  const nameOf = ({ file }: ImportRunSummary) => file || t.imports.pasted
  return (
    <>
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {data !== undefined && <UndoOutcome {...data} />}
      </div>
      <DataTable
        name="importer"
        title={t.imports.runs}
        note={runs.length === 0 ? undefined : t.imports.undoText}
        rows={runs}
        empty={t.imports.noRuns}
        keyOf={({ id }) => id}
        columns={[
          { title: t.imports.file, isRowHeader: true, isLong: true, value: nameOf },
          { key: 'set', title: t.imports.what, value: ({ resource }) => t.sets[resource] },
          { value: 'at', title: t.table.at, type: 'timestamp' },
          { value: 'actor', title: t.table.by, type: 'actor' },
          { value: 'inserted', title: t.imports.counts.inserted, type: 'count' },
          { value: 'changed', title: t.imports.changed, type: 'count' },
          { value: 'unchanged', title: t.imports.counts.unchanged, type: 'count', isOptional: true },
          { value: 'invalid', title: t.imports.counts.invalid, type: 'count' },
          { value: 'undoneAt', title: t.export.actions.undone, type: 'timestamp' },
          { value: 'undoneBy', title: t.imports.undoneBy, type: 'actor', isOptional: true },
        ]}
        nameOf={(run) => `${nameOf(run)} ${format.timestamp(run.at)}`}
        actions={({ id, isUndoable }) => [
          isUndoable && { label: t.imports.undo, isBusy: isPending && variables === id, run: () => mutate(id) },
        ]}
      />
    </>
  )
}

function UndoOutcome({ undone, kept, keptCount }: ImportUndoReport) {
  const { t, format } = useImportText()
  return (
    <div className="alert">
      <div>
        <p>{t.imports.undone(format.count(undone))}</p>
        {keptCount > 0 && (
          <>
            <p>{t.imports.notUndone(format.count(keptCount))}</p>
            <ul className="not-done">
              {kept.map(({ key, why }) => (
                <li key={key}>
                  {key}: {t.imports.why[why]}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
