// CellDrawer: records of a revenue cell, and its change log with restore.
import { Button } from '../../components/Button.tsx'
import type { RevenueCellDetails } from '../../../src/app/contract/revenue.ts'
import { post } from '../../api/client.ts'
import { toDecimalText } from '../../api/format.ts'
import { revenueCellQuery } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { useAction } from '../../components/use-action.ts'
import { HistoryList } from '../../components/HistoryList.tsx'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { Loaded } from '../../components/QueryStates.tsx'
import { useRevenueText } from '../../i18n/revenue.ts'
import { SaveBar } from './SaveBar.tsx'
import { useCellEdits } from './use-cell-edits.ts'

interface CellDrawerProps {
  /** As in the URL, `2026-11-20.10`; the date is empty for records without one. */
  readonly cell: string
  readonly onClose: () => void
}

export function CellDrawer({ cell, onClose }: CellDrawerProps) {
  const { t, format } = useRevenueText()
  const date = cell.slice(0, cell.indexOf('.'))
  const departmentId = cell.slice(cell.indexOf('.') + 1)
  const departmentName = useDepartmentName()
  return (
    <SideDrawer
      title={departmentName(departmentId)}
      note={date === '' ? t.revenue.withoutDate : format.day(date, 'long')}
      onClose={onClose}
    >
      <Loaded options={revenueCellQuery(date, departmentId)}>
        {(detail) => <RevenueCell detail={detail} date={date} departmentId={departmentId} />}
      </Loaded>
    </SideDrawer>
  )
}

interface RevenueCellProps {
  readonly detail: RevenueCellDetails
  readonly date: string
  readonly departmentId: string
}

function RevenueCell({ detail, date, departmentId }: RevenueCellProps) {
  const { t, format } = useRevenueText()
  const { scopes, departments } = useSession()
  const cellEdits = useCellEdits()
  const { records, hasMore, log } = detail
  const money = (amount: number | null) => format.amount(amount, 2)
  const leading = records.find(({ cellRank }) => cellRank === 0)
  const mayWrite = scopes.includes('revenue:write') && (departments === null || departments.includes(departmentId))
  const mayRestore = mayWrite && date !== '' && departmentId !== ''
  /** The last actor, as far as the loaded log reaches. */
  const writerOf = (id: number) => {
    const entry = log.find(({ revenueId }) => revenueId === id)
    return entry === undefined ? t.none : format.actor(entry.actor)
  }
  const restore = (amount: number) => {
    const cell = { date, amount: leading?.amount ?? null, records: records.length, before: null, isMissing: false }
    void cellEdits.save([{ cell, departmentId, amount: toDecimalText(amount) }])
  }
  return (
    <>
      <SaveBar cellEdits={cellEdits} />
      <h2>{t.revenue.records}</h2>
      {records.length === 0 && <p className="muted">{t.revenue.emptyCell}</p>}
      {records.map((record) => (
        <RevenueRecord
          key={record.id}
          record={record}
          isLeading={record.cellRank === 0 && records.length > 1}
          writer={writerOf(record.id)}
          mayDelete={mayWrite && (records.length > 1 || date === '')}
        />
      ))}
      {hasMore && <p className="muted">{t.revenue.firstRecords(records.length)}</p>}
      <h2>{t.revenue.history}</h2>
      {log.length === 0 && <p className="muted">{t.revenue.noHistory}</p>}
      <HistoryList
        entries={log.map(({ at, action, actor, reference, before, after }) => ({
          at,
          title: money(after),
          details: (
            <>
              {format.code(t.revenue.actions, action)}
              {before !== null && (
                <span className="muted">
                  {' '}
                  ({t.revenue.previousAmount.toLowerCase()} {money(before)})
                </span>
              )}
            </>
          ),
          actor,
          reference,
          action: mayRestore && after !== null && after !== (leading?.amount ?? null) && (
            <Button
              label={t.revenue.restore}
              size="xs"
              aria-label={`${t.revenue.restore} ${money(after)}`}
              onClick={() => restore(after)}
            />
          ),
        }))}
      />
    </>
  )
}

type CellRecord = RevenueCellDetails['records'][number]

interface RevenueRecordProps {
  readonly record: CellRecord
  readonly isLeading: boolean
  readonly writer: string
  readonly mayDelete: boolean
}

function RevenueRecord({ record, isLeading, writer, mayDelete }: RevenueRecordProps) {
  const { t, format } = useRevenueText()
  const facts = [
    [t.table.number, record.id],
    [t.revenue.changed, format.timestamp(record.changedAt)],
    [t.revenue.writtenBy, writer],
    ...(record.remark === null ? [] : [[t.revenue.remark, record.remark]]),
  ]
  return (
    <dl className="record">
      <div className="record-amount">
        <dt>{isLeading ? t.revenue.leading : ''}</dt>
        <dd>{format.amount(record.amount, 2)}</dd>
      </div>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {mayDelete && <DeleteRecordButton record={record} />}
    </dl>
  )
}

/** Deletes a duplicate; the log keeps it. */
function DeleteRecordButton({ record }: { record: CellRecord }) {
  const { t, format } = useRevenueText()
  const { mutate, isPending, error } = useAction(
    () => post('revenueRemove', { id: String(record.id), before: String(record.changedAt) }),
    { refreshes: ['revenue'] },
  )
  return (
    <div>
      <dt aria-live="polite">{error !== null && <span className="reason">{error.message}</span>}</dt>
      <dd>
        <Button
          label={t.revenue.deleteRecord}
          size="xs"
          loading={isPending}
          aria-label={`${t.revenue.deleteRecord}: ${record.id}, ${format.amount(record.amount, 2)}`}
          onClick={() => mutate()}
        />
      </dd>
    </div>
  )
}
