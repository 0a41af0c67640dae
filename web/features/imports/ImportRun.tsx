// ImportRun: result of the dry run, progress, and report.
import { Button, Progress as ProgressBar } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Refusal } from '../../api/client.ts'
import { downloadFile } from '../../api/csv.ts'
import { countText } from '../../api/format.ts'
import type { ImportedSet } from '../../api/imported-sets.ts'
import type { Report } from './api.ts'
import { Icon } from '../../components/Icon.tsx'
import { useImportText } from './i18n.ts'
import { useText } from '../../i18n/translation.tsx'
import type { RunningImport } from './use-import-run.ts'

interface RunningProps {
  readonly set: ImportedSet
  readonly name: string
  readonly rows: number
  readonly running: RunningImport
  readonly onRun: (takes: 'all' | 'good') => void
  readonly onAnother: () => void
}

export function Running({ set, name, rows, running, onRun, onAnother }: RunningProps) {
  const say = useImportText()
  const { report, error, isBusy } = running
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (report !== null) heading.current?.focus()
  }, [report])
  if (!isBusy && report === null && error === null) return null
  const isDone = report?.isStored === true
  return (
    <section className="panel step" aria-labelledby="import-trial">
      <h2 id="import-trial" ref={heading} tabIndex={-1}>
        {isDone ? say.done : say.trial}
      </h2>
      {isBusy && <HowFar rows={rows} running={running} />}
      <div aria-live="assertive">
        {error !== null && (
          <p className="problem">
            {error instanceof Refusal && error.code === 'Offline' ? say.offline : error.message}
          </p>
        )}
      </div>
      {!isBusy && report !== null && (
        <>
          <Counts report={report} />
          {report.wrongCount > 0 && <WrongRows report={report} name={name} />}
          {isDone ? (
            <div className="actions">
              <Link
                to={set === 'Omsetning' ? '/app/omsetning' : '/app/register'}
                search={listOf(set)}
              >
                {say.see}
              </Link>
              <Button variant="default" size="sm" onClick={onAnother}>
                {say.another}
              </Button>
            </div>
          ) : (
            <Decision report={report} onRun={onRun} />
          )}
        </>
      )}
    </section>
  )
}

function listOf(set: ImportedSet) {
  return set === 'Omsetning' ? {} : { liste: set }
}

function HowFar({ rows, running }: Pick<RunningProps, 'rows' | 'running'>) {
  const say = useImportText()
  const { language } = useText()
  const { progress } = running
  const step = say.progress[progress?.step ?? 'sending']
  const behind = progress?.rows ?? 0
  return (
    <>
      <p aria-live="polite">{step}</p>
      <ProgressBar.Root size="lg">
        <ProgressBar.Section
          value={Math.min(100, (100 * behind) / Math.max(1, rows))}
          aria-label={step}
        />
      </ProgressBar.Root>
      <p className="muted">{say.rowsOf(countText(behind, language), countText(rows, language))}</p>
    </>
  )
}

function Counts({ report }: { report: Report }) {
  const say = useImportText()
  const { language } = useText()
  const words = report.isStored ? say.doneCounts : say.counts
  const counts = {
    inserted: report.inserted,
    changed: report.changed,
    unchanged: report.unchanged,
    wrong: report.wrongCount,
  }
  return (
    <dl className="figures">
      {(['inserted', 'changed', 'unchanged', 'wrong'] as const).map((name) => (
        <div key={name} className={name === 'wrong' && counts.wrong > 0 ? 'has-failed' : undefined}>
          <dt>{words[name]}</dt>
          <dd className="figure">{countText(counts[name], language)}</dd>
        </div>
      ))}
    </dl>
  )
}

function WrongRows({ report, name }: { report: Report; name: string }) {
  const say = useImportText()
  const { language } = useText()
  const { wrong, wrongCount, errors } = report
  const base = name.replace(/\.\w+$/, '') || 'import'
  return (
    <>
      <h3 id="import-wrong">{say.wrongRows}</h3>
      <ul className="rejected-rows" tabIndex={0} aria-labelledby="import-wrong">
        {wrong.map(({ line, problems }) => (
          <li key={line}>
            <strong>{say.line(line)}</strong>
            <span>{problems.join(' ')}</span>
          </li>
        ))}
      </ul>
      {wrongCount > wrong.length && (
        <p className="muted">{say.more(countText(wrongCount - wrong.length, language))}</p>
      )}
      {errors !== null && (
        <div className="file-choice">
          <Button
            variant="default"
            size="sm"
            leftSection={<Icon name="download" size={16} />}
            onClick={() =>
              downloadFile(
                `${base}-${say.errorFileName}.csv`,
                new Blob([errors], { type: 'text/csv' }),
              )
            }
          >
            {say.errorFile}
          </Button>
          <span className="muted">{say.errorFileText}</span>
        </div>
      )}
    </>
  )
}

function Decision({ report, onRun }: { report: Report; onRun: RunningProps['onRun'] }) {
  const say = useImportText()
  const { language } = useText()
  const writing = report.inserted + report.changed
  if (writing === 0) return report.wrongCount === 0 ? <p>{say.nothing}</p> : null
  const count = countText(writing, language)
  return (
    <div className="actions">
      {report.wrongCount === 0 ? (
        <Button onClick={() => onRun('all')}>{say.run(count)}</Button>
      ) : (
        <Button onClick={() => onRun('good')}>{say.runGood(count)}</Button>
      )}
    </div>
  )
}
