// Earlier imports, and undoing one.
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { countText, momentText } from '../../api/format.ts'
import { undoRun, type Run, type Undone } from './api.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { useImportText } from './i18n.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'

export function Runs({ runs }: { runs: readonly Run[] }) {
  const say = useImportText()
  const client = useQueryClient()
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn: undoRun,
    onSettled: () => {
      for (const name of ['imports', 'set', 'revenue'])
        void client.invalidateQueries({ queryKey: [name] })
    },
  })
  return (
    <section className="page-section" aria-labelledby="import-runs">
      <h2 id="import-runs">{say.runs}</h2>
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {data !== undefined && <Told {...data} />}
      </div>
      {runs.length === 0 ? (
        <p className="muted">{say.noRuns}</p>
      ) : (
        <>
          <p className="muted">{say.undoText}</p>
          <ul className="card-list">
            {runs.map((run) => (
              <OneRun
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

function OneRun({ run, isBusy, onUndo }: { run: Run; isBusy: boolean; onUndo: () => void }) {
  const say = useImportText()
  const { say: common, language } = useText(auditText, revenueText)
  const { zone } = useSession()
  const moment = (at: number) => momentText(at, language, zone)
  const name = run.file || say.pasted
  const { doneCounts: words } = say
  return (
    <li className="panel">
      <div className="card-line">
        <strong>
          {say.sets[run.resource]} · {name}
        </strong>
        <span>{moment(run.at)}</span>
      </div>
      <div className="card-line muted">
        <span>
          {words.inserted} {countText(run.inserted, language)} · {words.changed}{' '}
          {countText(run.changed, language)} · {words.unchanged}{' '}
          {countText(run.unchanged, language)} · {words.wrong} {countText(run.wrong, language)}
        </span>
        <span>{say.by(actorText(run.actor, common))}</span>
      </div>
      {run.undoneAt !== null && (
        <p>{say.undoneAt(moment(run.undoneAt), actorText(run.undoneBy ?? '', common))}</p>
      )}
      {run.isUndoable && (
        <Button
          variant="default"
          size="sm"
          loading={isBusy}
          aria-label={say.undoOne(name, moment(run.at))}
          onClick={onUndo}
        >
          {say.undo}
        </Button>
      )}
    </li>
  )
}

function Told({ undone, kept, keptCount }: Undone) {
  const say = useImportText()
  const { language } = useText()
  return (
    <div className="alert">
      <div>
        <p>{say.undone(countText(undone, language))}</p>
        {keptCount > 0 && (
          <>
            <p>{say.kept(countText(keptCount, language))}</p>
            <ul className="not-done">
              {kept.map(({ key, why }) => (
                <li key={key}>
                  {key}: {say.why[why]}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
