// ReconcileResult: counts and differences of the two lists, and actions on them.
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { markLines, type Reconciled } from './details-api.ts'
import type { Returned } from '../../api/export.ts'
import { countText, momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { SimpleTable } from '../../components/SimpleTable.tsx'
import { useExportStoryText } from './details-i18n.ts'
import { exportText } from '../../i18n/export.ts'
import { useText } from '../../i18n/translation.tsx'
import { Outcome } from './LineActionOutcome.tsx'
import { Returning } from './UndoPreview.tsx'

interface BucketsProps {
  readonly destination: number
  readonly found: Reconciled
  /** A difference was fixed: compare again. */
  readonly onChanged: () => void
}

export function Buckets(props: BucketsProps) {
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
    <div className="reconcile-result">
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

function OnlyOurs({ destination, found, onChanged }: BucketsProps) {
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
          <SimpleTable
            labelledBy="only-ours"
            rows={onlyOurs}
            keyOf={({ lineId }) => lineId}
            columns={[
              {
                title: common.export.columns.which,
                isNumber: true,
                show: ({ lineId }) => lineId,
              },
              { title: say.fields.exportKey, show: ({ exportKey }) => exportKey },
              {
                title: say.fields.externalId,
                isLong: true,
                show: ({ externalId }) => externalId ?? say.none,
              },
              {
                title: say.exportedAt,
                show: ({ markedAt }) =>
                  markedAt === null ? say.none : momentText(markedAt, language, zone),
              },
            ]}
          />
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

function OnlyTheirs({ destination, found, onChanged }: BucketsProps) {
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
          <p className="alert">
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
          <SimpleTable
            labelledBy="only-theirs"
            rows={onlyTheirs}
            keyOf={(_, index) => index}
            columns={[
              {
                title: common.export.columns.which,
                isNumber: true,
                show: ({ id }) => id ?? say.none,
              },
              { title: say.fields.exportKey, show: ({ exportKey }) => exportKey ?? say.none },
              {
                title: say.fields.externalId,
                isLong: true,
                show: ({ externalId }) => externalId ?? say.none,
              },
              {
                title: say.whatNext,
                isLong: true,
                show: ({ state }) => say.next[state ?? 'unknown'],
              },
            ]}
          />
        </section>
      )}
    </>
  )
}

function FirstOf({ shown, all }: { shown: number; all: number }) {
  const say = useExportStoryText()
  const { language } = useText()
  if (shown === all) return null
  return <p>{say.firstOf(countText(shown, language), countText(all, language))}</p>
}
