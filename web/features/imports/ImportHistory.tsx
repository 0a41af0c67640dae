// Earlier imports, and undoing one.
import type { ImportRunSummary, ImportUndoReport } from '../../../src/app/contract/imports.ts'
import { Button } from '@mantine/core'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { importText } from './i18n.ts'

export function ImportHistory({ runs }: { runs: readonly ImportRunSummary[] }) {
  const { t } = useTranslation(importText)
  const { mutate, data, error, isPending, variables } = useAction(
    (run: number) => post('importUndo', { run: String(run) }),
    { refreshes: ['imports', 'set', 'revenue'] },
  )
  return (
    <section className="page-section" aria-labelledby="import-runs">
      <h2 id="import-runs">{t.imports.runs}</h2>
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {data !== undefined && <UndoOutcome {...data} />}
      </div>
      {runs.length === 0 ? (
        <p className="muted">{t.imports.noRuns}</p>
      ) : (
        <>
          <p className="muted">{t.imports.undoText}</p>
          <ul className="card-list">
            {runs.map((run) => (
              <ImportRunCard
                key={run.id}
                run={run}
                isBusy={isPending && variables === run.id}
                onUndo={() => mutate(run.id)}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function ImportRunCard({ run, isBusy, onUndo }: { run: ImportRunSummary; isBusy: boolean; onUndo: () => void }) {
  const { t, format } = useTranslation(importText)
  const name = run.file || t.imports.pasted
  const { doneCounts: words } = t.imports
  return (
    <li className="panel">
      <div className="card-line">
        <strong>
          {t.imports.sets[run.resource]} · {name}
        </strong>
        <span>{format.timestamp(run.at)}</span>
      </div>
      <div className="card-line muted">
        <span>
          {words.inserted} {format.count(run.inserted)} · {words.changed} {format.count(run.changed)} ·{' '}
          {words.unchanged} {format.count(run.unchanged)} · {words.invalid} {format.count(run.invalid)}
        </span>
        <span>{t.imports.by(format.actor(run.actor))}</span>
      </div>
      {run.undoneAt !== null && (
        <p>{t.imports.undoneAt(format.timestamp(run.undoneAt), format.actor(run.undoneBy ?? ''))}</p>
      )}
      {run.isUndoable && (
        <Button
          variant="default"
          loading={isBusy}
          aria-label={t.imports.undoOne(name, format.timestamp(run.at))}
          onClick={onUndo}
        >
          {t.imports.undo}
        </Button>
      )}
    </li>
  )
}

function UndoOutcome({ undone, kept, keptCount }: ImportUndoReport) {
  const { t, format } = useTranslation(importText)
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
