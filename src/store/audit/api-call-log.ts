// API call log: the last successful call and the recent failed calls of each credential.
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { LastSuccessTable, RejectedCallTable } from '../tables/operations.ts'

export function recordSuccess(writer: Writer, { companyId, credentialId, at }: LastSuccessTable): Awaitable<void> {
  return writer.run(successStatement, { companyId, credentialId, at })
}

export function insertRejectedCall(writer: Writer, call: RejectedCallTable): Awaitable<void> {
  return writer.run(rejectedStatement, { ...call })
}

export function listLastSuccesses(reader: Reader, companyId: number): Awaitable<LastSuccessTable[]> {
  return reader.all(successesStatement, { companyId })
}

export function findLastSuccess(
  reader: Reader,
  { companyId, credentialId }: Pick<LastSuccessTable, 'companyId' | 'credentialId'>,
): Awaitable<LastSuccessTable | undefined> {
  return reader.first(successOfStatement, { companyId, credentialId })
}

/** The last failed call of each credential. */
export function listLastRejectedCalls(reader: Reader, companyId: number): Awaitable<RejectedCallTable[]> {
  return reader.all(lastRejectedStatement, { companyId })
}

/** At most `top` from before this time, in microseconds, the latest first. */
export function listRejectedCalls(
  reader: Reader,
  page: { readonly companyId: number; readonly before: number; readonly top: number },
): Awaitable<RejectedCallTable[]> {
  return reader.all(beforeStatement, page)
}

/** The calls with this request id, which callers may choose and use more than once. */
export function findRejectedCalls(
  reader: Reader,
  query: { readonly companyId: number; readonly requestId: string; readonly top: number },
): Awaitable<RejectedCallTable[]> {
  return reader.all(byIdStatement, query)
}

/** Deletes calls from before this time, in microseconds, and all but the newest `kept`. */
export function deleteExpiredRejectedCalls(
  writer: Writer,
  bounds: { readonly companyId: number; readonly before: number; readonly kept: number },
): Awaitable<void> {
  return writer.run(deleteExpiredStatement, bounds)
}

const successStatement = statement(({ db, value, values }) =>
  db
    .insertInto('lastSuccess')
    .values(values('companyId', 'credentialId', 'at'))
    .onConflict((conflict) => conflict.columns(['companyId', 'credentialId']).doUpdateSet({ at: value('at') })),
)

const rejectedStatement = statement(({ db, values }) =>
  db
    .insertInto('rejectedCall')
    .values(values('companyId', 'at', 'requestId', 'credentialId', 'method', 'route', 'status', 'code', 'nb', 'en'))
    .onConflict((conflict) => conflict.doNothing()),
)

const successesStatement = statement<LastSuccessTable>(({ db, value }) =>
  db.selectFrom('lastSuccess').selectAll().where('companyId', '=', value('companyId')),
)

const successOfStatement = statement<LastSuccessTable>(({ db, value }) =>
  db
    .selectFrom('lastSuccess')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('credentialId', '=', value('credentialId')),
)

const lastRejectedStatement = statement<RejectedCallTable>(({ db, value }) =>
  db
    .selectFrom('rejectedCall as call')
    .selectAll('call')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('rejectedCall')
          .select((of) => ['credentialId', of.fn.max('at').as('lastAt')])
          .where('companyId', '=', value('companyId'))
          .groupBy('credentialId')
          .as('last'),
      (join) => join.onRef('last.credentialId', '=', 'call.credentialId').onRef('last.lastAt', '=', 'call.at'),
    )
    .where('call.companyId', '=', value('companyId')),
)

const beforeStatement = statement<RejectedCallTable>(({ db, value }) =>
  db
    .selectFrom('rejectedCall')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('at', '<', value('before'))
    .orderBy('at', 'desc')
    .orderBy('requestId')
    .limit(value('top')),
)

const byIdStatement = statement<RejectedCallTable>(({ db, value }) =>
  db
    .selectFrom('rejectedCall')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('requestId', '=', value('requestId'))
    .orderBy('at', 'desc')
    .limit(value('top')),
)

const deleteExpiredStatement = statement(
  ({ value }) => sql`
    delete from "rejectedCall" where "companyId" = ${value('companyId')} and (at < ${value('before')}
      or at <= (select at from "rejectedCall" where "companyId" = ${value('companyId')}
        order by at desc limit 1 offset ${value('kept')}))`,
)
