// API call log: the last successful call and the recent failed calls of each credential.
import { selectWhere, upsertInto } from '../row-statements.ts'
import { command, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { RejectedCallTable } from '../tables/operations.ts'

export const recordSuccess = command(upsertInto('lastSuccess', ['companyId', 'credentialId'], ['at']))

export const insertRejectedCall = command<RejectedCallTable>(({ db, values }) =>
  db
    .insertInto('rejectedCall')
    .values(values('companyId', 'at', 'requestId', 'credentialId', 'method', 'route', 'status', 'code', 'nb', 'en'))
    .onConflict((conflict) => conflict.doNothing()),
)

export const listLastSuccesses = rowsQuery(selectWhere('lastSuccess', ['companyId']))

export const findLastSuccess = rowQuery(selectWhere('lastSuccess', ['companyId', 'credentialId']))

/** The last failed call of each credential. */
export const listLastRejectedCalls = rowsQuery<{ companyId: number }, RejectedCallTable>(({ db, value }) =>
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

/** At most `top` from before this time, in microseconds, the latest first. */
export const listRejectedCalls = rowsQuery<{ companyId: number; before: number; top: number }, RejectedCallTable>(
  ({ db, value }) =>
    db
      .selectFrom('rejectedCall')
      .selectAll()
      .where('companyId', '=', value('companyId'))
      .where('at', '<', value('before'))
      .orderBy('at', 'desc')
      .orderBy('requestId')
      .limit(value('top')),
)

/** The calls with this request id, which callers may choose and use more than once. */
export const findRejectedCalls = rowsQuery<{ companyId: number; requestId: string; top: number }, RejectedCallTable>(
  ({ db, value }) =>
    db
      .selectFrom('rejectedCall')
      .selectAll()
      .where('companyId', '=', value('companyId'))
      .where('requestId', '=', value('requestId'))
      .orderBy('at', 'desc')
      .limit(value('top')),
)

/** Deletes calls from before this time, in microseconds, and all but the newest `kept`. */
export const deleteExpiredRejectedCalls = command<{ companyId: number; before: number; kept: number }>(
  ({ value }) => sql`
    delete from "rejectedCall" where "companyId" = ${value('companyId')} and (at < ${value('before')}
      or at <= (select at from "rejectedCall" where "companyId" = ${value('companyId')}
        order by at desc limit 1 offset ${value('kept')}))`,
)
