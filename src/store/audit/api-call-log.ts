// API call log: the last successful call and the recent failed calls of each credential.
import { insertRow, selectWhere, upsertInto } from '../row-statements.ts'
import { command, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import { rejectedCall, type RejectedCallTable } from '../tables/operations.ts'

export const recordSuccess = command(upsertInto('lastSuccess', ['companyId', 'credentialId'], ['at']))

const insertCall = insertRow(rejectedCall)

export const insertRejectedCall = command<RejectedCallTable>(
  (build) => sql`${insertCall(build)} on conflict do nothing`,
)

export const listLastSuccesses = rowsQuery(selectWhere('lastSuccess', ['companyId']))

export const findLastSuccess = rowQuery(selectWhere('lastSuccess', ['companyId', 'credentialId']))

/** The last failed call of each credential. */
export const listLastRejectedCalls = rowsQuery<{ companyId: number }, RejectedCallTable>(
  ({ value }) => sql`
    select call.* from "rejectedCall" as call
    join (select "credentialId", max(at) as at from "rejectedCall" where "companyId" = ${value('companyId')}
      group by "credentialId") as last on last."credentialId" = call."credentialId" and last.at = call.at
    where call."companyId" = ${value('companyId')}`,
)

/** At most `top` from before this time, in microseconds, the latest first. */
export const listRejectedCalls = rowsQuery<{ companyId: number; before: number; top: number }, RejectedCallTable>(
  ({ value }) => sql`
    select * from "rejectedCall" where "companyId" = ${value('companyId')} and at < ${value('before')}
    order by at desc, "requestId" limit ${value('top')}`,
)

/** The calls with this request id, which callers may choose and use more than once. */
export const findRejectedCalls = rowsQuery<{ companyId: number; requestId: string; top: number }, RejectedCallTable>(
  ({ value }) => sql`
    select * from "rejectedCall" where "companyId" = ${value('companyId')} and "requestId" = ${value('requestId')}
    order by at desc limit ${value('top')}`,
)

/** Deletes calls from before this time, in microseconds, and all but the newest `kept`. */
export const deleteExpiredRejectedCalls = command<{ companyId: number; before: number; kept: number }>(
  ({ value }) => sql`
    delete from "rejectedCall" where "companyId" = ${value('companyId')} and (at < ${value('before')}
      or at <= (select at from "rejectedCall" where "companyId" = ${value('companyId')}
        order by at desc limit 1 offset ${value('kept')}))`,
)
