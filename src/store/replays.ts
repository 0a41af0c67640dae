// What a replay of the export journal does to lines that were closed or offered again.
import { sql } from 'kysely'
import type { JournalAct } from '#journal/record.ts'
import { changesOf, statement } from '#store/statement.ts'
import type { Awaitable, Transaction } from '#store/store.ts'

/** Lines that a person closed as handled elsewhere. */
export const setOffersAside = (transaction: Transaction, act: JournalAct): Awaitable<void> =>
  transaction.run(closeStatement, valuesOf(transaction, act))

/** Lines that a person offered again, each in its next generation; their transactions are no longer exported. */
export const offerAgain = async (
  transaction: Transaction,
  act: JournalAct,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: number },
): Promise<void> => {
  const values = { ...valuesOf(transaction, act), now }
  await transaction.run(readyStatement, values)
  await transaction.run(stateStatement, { ...values, from, to })
}

const valuesOf = ({ companyId }: Transaction, { destinationId, entries }: JournalAct) => ({
  companyId,
  destinationId,
  rows: JSON.stringify(entries.map(({ lineId: id, generation }) => ({ id, generation }))),
})

const columns = { id: 'integer', generation: 'integer' } as const

const closeStatement = statement(
  (build) => sql`
    update offer set state = 'closed' from ${changesOf(build, 'rows', columns)}
    where offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
)

const readyStatement = statement(
  (build) => sql`
    update offer set state = 'ready', generation = r.generation + 1, "readyAt" = ${build.value('now')}
    from ${changesOf(build, 'rows', columns)}
    where offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state in ('exported', 'closed')`,
)

const stateStatement = statement(
  (build) => sql`
    update material set state = ${build.value('to')}, "exportedAt" = null
    from ${changesOf(build, 'rows', columns)}
    where material."companyId" = r."companyId" and material.id = r.id and material.state = ${build.value('from')}`,
)
