// The receiver's list beside ours: what both have, what only one has, and what to do about it.
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import {
  markLines,
  reconcileWith,
  type Naming,
  type Reconciled,
} from '../../data/export-stories.ts'
import type { Destination, Returned } from '../../data/export.ts'
import { countText, momentText } from '../../data/format.ts'
import { useSession } from '../../data/session.ts'
import { FileOrPaste } from '../../parts/FileOrPaste.tsx'
import { useExportStoryText } from '../../text/export-stories.ts'
import { exportText } from '../../text/export.ts'
import { useText } from '../../text/text.tsx'
import { Outcome } from './Outcome.tsx'
import { Returning } from './Returning.tsx'

const namings: readonly Naming[] = ['id', 'external', 'key']

export const Reconciling = ({ destinations }: { destinations: readonly Destination[] }) => {
  const say = useExportStoryText()
  const { mottaker, fra, til } = useSearch({ from: '/app/eksport' })
  const navigate = useNavigate({ from: '/app/eksport' })
  const destination = destinations.find(({ id }) => id === mottaker)?.id ?? destinations[0]?.id ?? 1
  const [by, setBy] = useState<Naming>('id')
  /** Stands while the same list is compared once more. */
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
    <section className="history-block" aria-labelledby="reconcile">
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

interface BucketsProps {
  readonly destination: number
  readonly found: Reconciled
  /** Something was put right: the list is compared once more. */
  readonly onChanged: () => void
}

const Buckets = (props: BucketsProps) => {
  const say = useExportStoryText()
  const { language } = useText()
  const { found } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const counts = [
    [say.both, found.both, false],
    [say.onlyOurs, found.onlyOursCount, true],
    [say.onlyTheirs, found.onlyTheirsCount, true],
  ] as const
  return (
    <div className="buckets">
      <h3 ref={heading} tabIndex={-1}>
        {found.onlyOursCount + found.onlyTheirsCount === 0 ? say.equal : say.reconcile}
      </h3>
      <dl className="figures">
        {counts.map(([name, count, isOdd]) => (
          <div key={name} className={isOdd && count > 0 ? 'has-failed' : undefined}>
            <dt>{name}</dt>
            <dd className="figure">{countText(count, language)}</dd>
          </div>
        ))}
      </dl>
      <OnlyOurs {...props} />
      <OnlyTheirs {...props} />
    </div>
  )
}

const OnlyOurs = ({ destination, found, onChanged }: BucketsProps) => {
  const say = useExportStoryText()
  const { say: common, language } = useText(exportText)
  const { zone, scopes } = useSession()
  const [isActing, setActing] = useState(false)
  const [returned, setReturned] = useState<Returned | null>(null)
  const { onlyOurs, onlyOursCount } = found
  return (
    <>
      {returned !== null && (
        <Outcome act="undone" returned={returned} onClose={() => setReturned(null)} />
      )}
      {onlyOurs.length > 0 && (
        <section aria-labelledby="only-ours">
          <h3 id="only-ours">{say.onlyOurs}</h3>
          <p className="muted">{say.onlyOursText}</p>
          <FirstOf shown={onlyOurs.length} all={onlyOursCount} />
          {scopes.includes('export:undo') && (
            <Button size="sm" onClick={() => setActing(true)}>
              {say.offerAgain(countText(onlyOurs.length, language))}
            </Button>
          )}
          <div className="sheet" tabIndex={0} role="region" aria-labelledby="only-ours">
            <table>
              <thead>
                <tr>
                  <th scope="col" className="number">
                    {common.export.columns.which}
                  </th>
                  <th scope="col">{say.fields.exportKey}</th>
                  <th scope="col">{say.fields.externalId}</th>
                  <th scope="col">{say.exportedAt}</th>
                </tr>
              </thead>
              <tbody>
                {onlyOurs.map(({ lineId, exportKey, externalId, markedAt }) => (
                  <tr key={lineId}>
                    <td className="number">{lineId}</td>
                    <td>{exportKey}</td>
                    <td className="long-text">{externalId ?? say.none}</td>
                    <td>{markedAt === null ? say.none : momentText(markedAt, language, zone)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {isActing && (
        <Returning
          act="undone"
          destination={destination}
          ids={onlyOurs.map(({ lineId }) => lineId)}
          onClose={() => setActing(false)}
          onDone={(outcome) => {
            setActing(false)
            setReturned(outcome)
            onChanged()
          }}
        />
      )}
    </>
  )
}

const OnlyTheirs = ({ destination, found, onChanged }: BucketsProps) => {
  const say = useExportStoryText()
  const { say: common, language } = useText(exportText)
  const { scopes } = useSession()
  const client = useQueryClient()
  const { onlyTheirs, onlyTheirsCount } = found
  const markable = onlyTheirs.flatMap(({ id, externalId, state }) =>
    id !== null && (state === 'ready' || state === 'withdrawn') ? [{ id, externalId }] : [],
  )
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => markLines(destination, markable),
    onSuccess: onChanged,
    onSettled: () => client.invalidateQueries({ queryKey: ['material'] }),
  })
  return (
    <>
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {data !== undefined && (
          <p className="bar">
            {say.markedNow(countText(data.done.length, language))}
            {data.others.length > 0 && ` ${say.notMarked(countText(data.others.length, language))}`}
          </p>
        )}
      </div>
      {onlyTheirs.length > 0 && (
        <section aria-labelledby="only-theirs">
          <h3 id="only-theirs">{say.onlyTheirs}</h3>
          <p className="muted">{say.onlyTheirsText}</p>
          <FirstOf shown={onlyTheirs.length} all={onlyTheirsCount} />
          {markable.length > 0 && scopes.includes('export:undo') && (
            <Button size="sm" loading={isPending} onClick={() => mutate()}>
              {say.mark(countText(markable.length, language))}
            </Button>
          )}
          <div className="sheet" tabIndex={0} role="region" aria-labelledby="only-theirs">
            <table>
              <thead>
                <tr>
                  <th scope="col" className="number">
                    {common.export.columns.which}
                  </th>
                  <th scope="col">{say.fields.exportKey}</th>
                  <th scope="col">{say.fields.externalId}</th>
                  <th scope="col">{say.whatNext}</th>
                </tr>
              </thead>
              <tbody>
                {onlyTheirs.map(({ id, exportKey, externalId, state }, index) => (
                  <tr key={index}>
                    <td className="number">{id ?? say.none}</td>
                    <td>{exportKey ?? say.none}</td>
                    <td className="long-text">{externalId ?? say.none}</td>
                    <td className="long-text">{say.next[state ?? 'unknown']}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </>
  )
}

const FirstOf = ({ shown, all }: { shown: number; all: number }) => {
  const say = useExportStoryText()
  const { language } = useText()
  if (shown === all) return null
  return <p>{say.firstOf(countText(shown, language), countText(all, language))}</p>
}
