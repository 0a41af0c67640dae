// ImportRun: result of the dry run, progress, and report; and the state of such a run.
import { Button } from '../../components/Button.tsx'
import type { ImportRunReport, ImportedSet, ImportProgress } from '../../../src/app/contract/imports.ts'
import { Progress as ProgressBar } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { hasErrorCode } from '../../api/client.ts'
import { downloadFile } from '../../api/csv.ts'
import { useImportText } from './i18n.ts'
import styles from './Imports.module.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { runImport, type ImportRequest } from './api.ts'

interface ImportRunProps {
  readonly set: ImportedSet
  readonly name: string
  readonly rows: number
  readonly running: ImportRunState
  readonly onRun: (takes: 'all' | 'good') => void
  readonly onAnother: () => void
}

export function ImportRun({ set, name, rows, running, onRun, onAnother }: ImportRunProps) {
  const { t } = useImportText()
  const { report, error, isBusy } = running
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (report !== null) heading.current?.focus()
  }, [report])
  if (!isBusy && report === null && error === null) return null
  const isDone = report?.isStored === true
  return (
    <section className={styles.step} aria-labelledby="import-trial">
      <h2 id="import-trial" ref={heading} tabIndex={-1}>
        {isDone ? t.imports.done : t.imports.dryRunResult}
      </h2>
      {isBusy && <RunProgress rows={rows} running={running} />}
      <div aria-live="assertive">
        {error !== null && (
          <p className="problem">{hasErrorCode(error, 'Offline') ? t.imports.offline : error.message}</p>
        )}
      </div>
      {!isBusy && report !== null && (
        <>
          <Counts report={report} />
          {report.invalidCount > 0 && <RejectedRows report={report} name={name} />}
          {isDone ? (
            <div className="actions">
              {set === 'Omsetning' ? (
                <Link to="/app/omsetning">{t.imports.see}</Link>
              ) : (
                <Link to="/app/register" search={{ liste: set }}>
                  {t.imports.see}
                </Link>
              )}
              <Button label={t.imports.another} onClick={onAnother} />
            </div>
          ) : (
            <RunButton report={report} onRun={onRun} />
          )}
        </>
      )}
    </section>
  )
}

function RunProgress({ rows, running }: Pick<ImportRunProps, 'rows' | 'running'>) {
  const { t, format } = useImportText()
  const { progress } = running
  const step = t.imports.progress[progress?.step ?? 'sending']
  const done = progress?.rows ?? 0
  return (
    <>
      <p aria-live="polite">{step}</p>
      <ProgressBar.Root size="lg">
        <ProgressBar.Section value={Math.min(100, (100 * done) / Math.max(1, rows))} aria-label={step} />
      </ProgressBar.Root>
      <p className="muted">{t.imports.rowsOf(format.count(done), format.count(rows))}</p>
    </>
  )
}

function Counts({ report }: { report: ImportRunReport }) {
  const { t, format } = useImportText()
  const words = { ...t.imports.counts, ...(report.isStored && { changed: t.imports.changed }) }
  const counts = { ...report, invalid: report.invalidCount }
  return (
    <dl className="figures">
      {(['inserted', 'changed', 'unchanged', 'invalid'] as const).map((name) => (
        <div key={name} className={name === 'invalid' && counts.invalid > 0 ? 'has-failed' : undefined}>
          <dt>{words[name]}</dt>
          <dd className="figure">{format.count(counts[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

function RejectedRows({ report, name }: { report: ImportRunReport; name: string }) {
  const { t, format } = useImportText()
  const { invalid, invalidCount, errors } = report
  const base = name.replace(/\.\w+$/, '') || 'import'
  return (
    <>
      <h3 id="import-invalid">{t.imports.rejectedRows}</h3>
      <ul className={styles.rejected} tabIndex={0} aria-labelledby="import-invalid">
        {invalid.map(({ line, problems }) => (
          <li key={line}>
            <strong>{t.imports.line(line)}</strong>
            <span>{problems.join(' ')}</span>
          </li>
        ))}
      </ul>
      {invalidCount > invalid.length && (
        <p className="muted">{t.imports.more(format.count(invalidCount - invalid.length))}</p>
      )}
      {errors !== null && (
        <div className="file-choice">
          <Button
            label={t.imports.errorFile}
            icon="download"
            onClick={() =>
              downloadFile(`${base}-${t.imports.errorFileName}.csv`, new Blob([errors], { type: 'text/csv' }))
            }
          />
          <span className="muted">{t.imports.errorFileText}</span>
        </div>
      )}
    </>
  )
}

function RunButton({ report, onRun }: { report: ImportRunReport; onRun: ImportRunProps['onRun'] }) {
  const { t, format } = useImportText()
  const writing = report.inserted + report.changed
  if (writing === 0) return report.invalidCount === 0 ? <p>{t.imports.nothing}</p> : null
  const count = format.count(writing)
  return (
    <div className="actions">
      {report.invalidCount === 0 ? (
        <Button isPrimary label={t.imports.run(count)} onClick={() => onRun('all')} />
      ) : (
        <Button isPrimary label={t.imports.runGood(count)} onClick={() => onRun('good')} />
      )}
    </div>
  )
}

type ImportRunState = ReturnType<typeof useImportRun>

export function useImportRun() {
  const client = useQueryClient()
  const [progress, setProgress] = useState<ImportProgress | null>(null)
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: (importRequest: ImportRequest) => runImport(importRequest, setProgress),
    onMutate: () => setProgress(null),
    onSettled: (_, __, { isDryRun }) => {
      if (isDryRun) return
      for (const name of ['imports', 'set', 'revenue', 'material']) void client.invalidateQueries({ queryKey: [name] })
    },
  })
  return { start: mutate, reset, isBusy: isPending, progress, report: data ?? null, error }
}
