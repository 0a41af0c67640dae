// Reads and stores the counters of a company, inside of its transaction.
import { Counters } from './sequences.ts'
import { statement } from './statement.ts'
import type { Writer } from './store.ts'
import type { CounterTable } from './tables/revenue.ts'

/** Takes the company's counters and keeps every other writer of the company waiting until the commit. */
export async function takeCounters(writer: Writer, companyId: number): Promise<Counters> {
  const row = await writer.first(takeStatement, { companyId })
  if (row === undefined) throw new Error(`company ${companyId} has no counters`)
  return new Counters(row)
}

export function storeCounters(writer: Writer, counters: Counters) {
  return writer.run(storeStatement, { ...counters.save() })
}

/** SQLite has one writer anyway: its transactions begin IMMEDIATE. */
const takeStatement = statement<CounterTable>(({ db, dialect, value }) => {
  const query = db.selectFrom('counter').selectAll().where('companyId', '=', value('companyId'))
  return dialect === 'postgres' ? query.forUpdate() : query
})

const storeStatement = statement(({ db, value, values }) =>
  db
    .updateTable('counter')
    .set(
      values(
        'stamp',
        'revenueId',
        'revenueLogId',
        'materialId',
        'ledgerId',
        'handOutId',
        'batchId',
        'auditId',
        'passages',
        'employeeId',
      ),
    )
    .where('companyId', '=', value('companyId')),
)
