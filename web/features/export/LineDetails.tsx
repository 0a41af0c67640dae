// LineDetails: content of an export line, its corrections, and its history.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lineStoryQuery, type LineStory as Story, type StoryLine } from './details-api.ts'
import { amountText, countText, dayText, momentText, quantityText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { useExportStoryText } from './details-i18n.ts'
import { auditText } from '../../i18n/audit.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'

interface LineStoryProps {
  readonly destination: number
  readonly id: number
  readonly onClose: () => void
}

export function LineStory({ destination, id, onClose }: LineStoryProps) {
  const say = useExportStoryText()
  const query = useQuery(lineStoryQuery(destination, id))
  const line = query.data?.thread.find((one) => one.id === id)
  return (
    <SideDrawer
      title={say.line(id)}
      note={line === undefined ? '' : (line.itemName ?? line.itemId ?? '')}
      onClose={onClose}
    >
      <Fetched query={query}>
        {(story) => {
          const told = story.thread.find((one) => one.id === id)
          return told === undefined ? null : <Told line={told} story={story} />
        }}
      </Fetched>
    </SideDrawer>
  )
}

function Told({ line, story }: { line: StoryLine; story: Story }) {
  const say = useExportStoryText()
  const { say: common, language } = useText()
  const { fields } = say
  const shown: readonly (readonly [string, string | null])[] = [
    [fields.exportKey, line.exportKey],
    [fields.externalId, line.externalId],
    [fields.postingDate, dayText(line.postingDate, language, 'full')],
    [fields.item, [line.itemId, line.itemName].filter((one) => one !== null).join(' ')],
    [fields.quantity, `${quantityText(line.quantity, language)} ${line.unit ?? ''}`],
    [fields.amount, line.amount === null ? common.none : amountText(line.amount, language, 2)],
    [fields.project, line.projectId],
    [fields.department, line.departmentId],
    [fields.source, [line.source, line.sourceExternalId].filter((one) => one !== null).join(' ')],
    [fields.remark, line.remark],
  ]
  return (
    <>
      <p>
        <span className="status-badge">{say.states[line.state]}</span>
      </p>
      <dl className="fields">
        {shown
          .filter(([, value]) => value !== null && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {story.thread.length > 1 && <Thread line={line} thread={story.thread} />}
      <Steps line={line} story={story} />
    </>
  )
}

/** Original, reversal and replacement, in posting order. */
function Thread({ line, thread }: { line: StoryLine; thread: readonly StoryLine[] }) {
  const say = useExportStoryText()
  const { say: common, language } = useText()
  return (
    <section className="related" aria-labelledby="line-thread">
      <h2 id="line-thread">{say.thread}</h2>
      <p className="muted">{say.threadText}</p>
      <ol className="corrections">
        {thread.map((one) => (
          <li key={one.id} aria-current={one.id === line.id ? 'true' : undefined}>
            <span>
              <Link from="/app/eksport" search={(last) => ({ ...last, linje: one.id })}>
                {say.line(one.id)}
              </Link>{' '}
              {say.kinds[one.lineKind]}
              {one.reversesId !== null && ` · ${say.reverses(one.reversesId)}`}
              {one.replacesId !== null && ` · ${say.replaces(one.replacesId)}`}
            </span>
            <span className="number">
              {one.amount === null ? common.none : amountText(one.amount, language, 2)}
            </span>
            <span className="muted">
              {say.states[one.state]}
              {one.externalId !== null && ` · ${one.externalId}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface Step {
  readonly at: number
  readonly what: string
  readonly who: string
  readonly more: string
}

function Steps({ line, story }: { line: StoryLine; story: Story }) {
  const say = useExportStoryText()
  const { say: common, language } = useText(auditText, exportText, revenueText)
  const { zone } = useSession()
  const { origin, retrievals, entries } = story
  const acts: Readonly<Record<string, string>> = common.export.acts
  // A failure code is the receiver's own.
  const codes: Readonly<Record<string, string>> = {
    ...common.export.reasonCodes,
    ...say.codes,
  }
  const steps: Step[] = [
    ...(origin === null
      ? []
      : [{ at: origin.createdAt, what: say.registered, who: origin.registeredBy, more: '' }]),
    { at: line.approvedAt, what: say.approved, who: line.approvedBy, more: '' },
    ...retrievals.map(({ id, at, actor }) => ({
      at,
      what: say.fetched,
      who: actor,
      more: say.handOut(id),
    })),
    ...entries.map(({ at, act, actor, externalId, code, reason }) => ({
      at,
      what: acts[act] ?? act,
      who: actor,
      more: [externalId, codes[code ?? ''] ?? code, reason]
        .filter((one) => one !== null)
        .join(' · '),
    })),
  ].toSorted((one, other) => one.at - other.at)
  return (
    <section className="related" aria-labelledby="line-steps">
      <h2 id="line-steps">{say.story}</h2>
      {retrievals.length === 100 && <p className="muted">{say.more(countText(100, language))}</p>}
      <ol className="history">
        {steps.map((step, index) => (
          <li key={index}>
            <span className="history-line">
              <strong>{step.what}</strong>
              <span>{step.more}</span>
            </span>
            <span className="history-by muted">
              {momentText(step.at, language, zone)} · {actorText(step.who, common)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
