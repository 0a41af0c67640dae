// CellDrawer: records of a revenue cell, and its change log with restore.
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { amountText, dayText, momentText, sentAmount } from '../../api/format.ts'
import { cellQuery, type CellDetail } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { removeRecord } from '../../api/data-quality.ts'
import { actorText } from '../../components/format-actor.ts'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import type { Language } from '../../i18n/language.ts'
import type { AuditTexts } from '../../i18n/audit.ts'
import type { RevenueTexts } from '../../i18n/revenue.ts'
import type { Texts } from '../../i18n/nb.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { SaveBar } from './SaveBar.tsx'
import { useSaving } from './use-cell-edits.ts'

interface CellDrawerProps {
  readonly date: string
  readonly departmentId: string
  readonly onClose: () => void
}

export function CellDrawer({ date, departmentId, onClose }: CellDrawerProps) {
  const { say, language } = useText()
  const { data: names } = useQuery(departmentsQuery)
  const query = useQuery(cellQuery(date, departmentId))
  const name = names?.get(departmentId)
  return (
    <SideDrawer
      title={name ?? (departmentId || say.revenue.withoutDepartment)}
      note={dayText(date, language, 'long')}
      onClose={onClose}
    >
      <Fetched query={query}>
        {(detail) => <Detail detail={detail} date={date} departmentId={departmentId} />}
      </Fetched>
    </SideDrawer>
  )
}

interface DetailProps {
  readonly detail: CellDetail
  readonly date: string
  readonly departmentId: string
}

function Detail({ detail, date, departmentId }: DetailProps) {
  const { say, language } = useText(auditText, revenueText)
  const { zone, scopes, departments } = useSession()
  const saving = useSaving()
  const { records, log } = detail
  const leading = records.find(({ extra }) => extra === 0)
  const mayWrite =
    scopes.includes('revenue:write') &&
    departmentId !== '' &&
    (departments === null || departments.includes(departmentId))
  const restore = (amount: number) => {
    const cell = {
      date,
      amount: leading?.amount ?? null,
      records: records.length,
      before: null,
      isMissing: false,
    }
    void saving.save([{ cell, departmentId, amount: sentAmount(amount) }])
  }
  return (
    <>
      <SaveBar saving={saving} />
      <h2>{say.revenue.records}</h2>
      {records.length === 0 && <p className="muted">{say.revenue.emptyCell}</p>}
      {records.map((record) => (
        <dl className="record" key={record.id}>
          <div className="record-amount">
            <dt>{record.extra === 0 && records.length > 1 ? say.revenue.leading : ''}</dt>
            <dd>{moneyText(record.amount, language, say.none)}</dd>
          </div>
          <div>
            <dt>{say.revenue.key}</dt>
            <dd>{record.id}</dd>
          </div>
          <div>
            <dt>{say.revenue.changed}</dt>
            <dd>{momentText(record.changedAt, language, zone)}</dd>
          </div>
          <div>
            <dt>{say.revenue.writtenBy}</dt>
            <dd>{writerOf(record.id, log, say)}</dd>
          </div>
          {record.remark !== null && (
            <div>
              <dt>{say.revenue.remark}</dt>
              <dd>{record.remark}</dd>
            </div>
          )}
          {mayWrite && records.length > 1 && <Deleting record={record} />}
        </dl>
      ))}
      <h2>{say.revenue.history}</h2>
      {log.length === 0 && <p className="muted">{say.revenue.noHistory}</p>}
      <ol className="history">
        {log.map((entry) => (
          <li key={entry.id}>
            <div className="history-line">
              <strong>{moneyText(entry.after, language, say.none)}</strong>
              <span>
                {actionText(entry.action, say.revenue.actions)}
                {entry.before !== null && (
                  <span className="muted">
                    {' '}
                    ({say.revenue.before_.toLowerCase()}{' '}
                    {moneyText(entry.before, language, say.none)})
                  </span>
                )}
              </span>
            </div>
            <div className="history-by muted">
              {momentText(entry.at, language, zone)} · {actorText(entry.actor, say)}
              {entry.reference !== null && ` · ${entry.reference}`}
            </div>
            {mayWrite && entry.after !== null && entry.after !== (leading?.amount ?? null) && (
              <Restore amount={entry.after} onRestore={restore} />
            )}
          </li>
        ))}
      </ol>
    </>
  )
}

/** The last actor, as far as the loaded log reaches. */
function writerOf(
  id: number,
  log: CellDetail['log'],
  say: Texts & AuditTexts & RevenueTexts,
): string {
  const entry = log.find(({ revenueId }) => revenueId === id)
  return entry === undefined ? say.none : actorText(entry.actor, say)
}

/** Deletes a duplicate; the log keeps it. */
function Deleting({ record }: { record: CellDetail['records'][number] }) {
  const { say, language } = useText(revenueText)
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeRecord(record),
    onSettled: () => client.invalidateQueries({ queryKey: ['revenue'] }),
  })
  return (
    <div>
      <dt aria-live="polite">
        {error !== null && <span className="reason">{error.message}</span>}
      </dt>
      <dd>
        <Button
          variant="default"
          size="xs"
          loading={isPending}
          aria-label={`${say.revenue.deleteRecord}: ${record.id}, ${moneyText(record.amount, language, say.none)}`}
          onClick={() => mutate()}
        >
          {say.revenue.deleteRecord}
        </Button>
      </dd>
    </div>
  )
}

function Restore({ amount, onRestore }: { amount: number; onRestore: (amount: number) => void }) {
  const { say, language } = useText(revenueText)
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`${say.revenue.restore} ${amountText(amount, language, 2)}`}
      onClick={() => onRestore(amount)}
    >
      {say.revenue.restore}
    </Button>
  )
}

function moneyText(amount: number | null, language: Language, none: string): string {
  return amount === null ? none : amountText(amount, language, 2)
}

function actionText(action: string, texts: Readonly<Record<string, string>>): string {
  return texts[action] ?? action
}
