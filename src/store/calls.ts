// How the calls of integrations fared: the last good one of each, and those that were refused lately.
import { sql } from 'kysely'
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader, Writer } from '#store/store.ts'
import type { LastSuccessTable, RefusedCallTable } from '#store/tables/notes.ts'

export const noteSuccess = (
  writer: Writer,
  { companyId, credentialId, at }: LastSuccessTable,
): Awaitable<void> => writer.run(successStatement, { companyId, credentialId, at })

export const insertRefused = (writer: Writer, call: RefusedCallTable): Awaitable<void> =>
  writer.run(refusedStatement, { ...call })

export const successesOf = (reader: Reader, companyId: number): Awaitable<LastSuccessTable[]> =>
  reader.all(successesStatement, { companyId })

export const successOf = (
  reader: Reader,
  { companyId, credentialId }: Pick<LastSuccessTable, 'companyId' | 'credentialId'>,
): Awaitable<LastSuccessTable | undefined> =>
  reader.first(successOfStatement, { companyId, credentialId })

/** Of each credential the last one. */
export const lastRefusedOf = (reader: Reader, companyId: number): Awaitable<RefusedCallTable[]> =>
  reader.all(lastRefusedStatement, { companyId })

/** At most `top` before the moment, in microseconds, the latest first. */
export const refusedBefore = (
  reader: Reader,
  page: { readonly companyId: number; readonly before: number; readonly top: number },
): Awaitable<RefusedCallTable[]> => reader.all(beforeStatement, page)

/** Those whose request id this is: the caller may have chosen it, and more than once. */
export const refusedById = (
  reader: Reader,
  asked: { readonly companyId: number; readonly requestId: string; readonly top: number },
): Awaitable<RefusedCallTable[]> => reader.all(byIdStatement, asked)

/** Forgets what is older than the moment, and beyond the newest `kept`. */
export const forgetRefused = (
  writer: Writer,
  bounds: { readonly companyId: number; readonly before: number; readonly kept: number },
): Awaitable<void> => writer.run(forgetStatement, bounds)

const successStatement = statement(({ db, value, values }) =>
  db
    .insertInto('lastSuccess')
    .values(values('companyId', 'credentialId', 'at'))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'credentialId']).doUpdateSet({ at: value('at') }),
    ),
)

const refusedStatement = statement(({ db, values }) =>
  db
    .insertInto('refusedCall')
    .values(
      values(
        'companyId',
        'at',
        'requestId',
        'credentialId',
        'method',
        'route',
        'status',
        'code',
        'nb',
        'en',
      ),
    )
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

const lastRefusedStatement = statement<RefusedCallTable>(({ db, value }) =>
  db
    .selectFrom('refusedCall as call')
    .selectAll('call')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('refusedCall')
          .select((of) => ['credentialId', of.fn.max('at').as('lastAt')])
          .where('companyId', '=', value('companyId'))
          .groupBy('credentialId')
          .as('last'),
      (join) =>
        join
          .onRef('last.credentialId', '=', 'call.credentialId')
          .onRef('last.lastAt', '=', 'call.at'),
    )
    .where('call.companyId', '=', value('companyId')),
)

const beforeStatement = statement<RefusedCallTable>(({ db, value }) =>
  db
    .selectFrom('refusedCall')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('at', '<', value('before'))
    .orderBy('at', 'desc')
    .orderBy('requestId')
    .limit(value('top')),
)

const byIdStatement = statement<RefusedCallTable>(({ db, value }) =>
  db
    .selectFrom('refusedCall')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('requestId', '=', value('requestId'))
    .orderBy('at', 'desc')
    .limit(value('top')),
)

const forgetStatement = statement(
  ({ value }) => sql`
    delete from "refusedCall" where "companyId" = ${value('companyId')} and (at < ${value('before')}
      or at <= (select at from "refusedCall" where "companyId" = ${value('companyId')}
        order by at desc limit 1 offset ${value('kept')}))`,
)
