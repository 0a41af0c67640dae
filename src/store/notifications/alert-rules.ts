// What is watched for a company, how long it may take, and whether an alarm stands.
import { sql } from 'kysely'
import { readyOffers } from '../export/export-overview.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { WatchTable } from '../tables/operations.ts'

/** What a company watches; the subject is the owner of keys, or `export`. */
export function watchesOf(reader: Reader, companyId: number): Awaitable<WatchTable[]> {
  return reader.all(ofCompanyStatement, { companyId })
}

/** Watches anew: an alarm that stands is forgotten. */
export function saveWatch(writer: Writer, watch: Omit<WatchTable, 'raisedAt'>): Awaitable<void> {
  return writer.run(saveStatement, { ...watch })
}

export function removeWatch(
  writer: Writer,
  { companyId, subject }: Pick<WatchTable, 'companyId' | 'subject'>,
): Awaitable<void> {
  return writer.run(removeStatement, { companyId, subject })
}

/** One key's owner, and when any of its live keys was heard of last; its making counts as being heard. */
export interface Heard {
  readonly companyId: number
  readonly subject: string
  /** What the integration is called. */
  readonly name: string
  readonly hours: number
  readonly raisedAt: number | null
  readonly heardAt: number
}

/** Of every company that is served. */
export function heardOf(reader: Reader): Awaitable<Heard[]> {
  return reader.all(heardStatement, {})
}

/** Lines of one company that nobody has fetched and reported for too long. */
export interface Waiting {
  readonly count: number
  /** Ten-thousandths. */
  readonly amount: number
  readonly oldestAt: number
}

/** Of lines that were ready before the moment, in microseconds; undefined where there are none. */
export async function waitingSince(
  reader: Reader,
  companyId: number,
  before: number,
): Promise<Waiting | undefined> {
  const row = await reader.first(waitingStatement, { companyId, before })
  if (row === undefined || row.oldestAt === null) return undefined
  return { count: row.count, amount: row.whole * 10_000 + row.part, oldestAt: row.oldestAt }
}

/** Raises an alarm; of several servers that see the same, one is told that it did. */
export async function raise(
  writer: Writer,
  watch: Omit<WatchTable, 'raisedAt'>,
  raisedAt: number,
): Promise<boolean> {
  return (await writer.first(raiseStatement, { ...watch, raisedAt })) !== undefined
}

export function lower(
  writer: Writer,
  { companyId, subject }: Pick<WatchTable, 'companyId' | 'subject'>,
): Awaitable<void> {
  return writer.run(lowerStatement, { companyId, subject })
}

const ofCompanyStatement = statement<WatchTable>(({ db, value }) =>
  db.selectFrom('watch').selectAll().where('companyId', '=', value('companyId')),
)

const saveStatement = statement(({ db, values, value }) =>
  db
    .insertInto('watch')
    .values(values('companyId', 'subject', 'hours'))
    .onConflict((conflict) =>
      conflict
        .columns(['companyId', 'subject'])
        .doUpdateSet({ hours: value('hours'), raisedAt: null }),
    ),
)

const removeStatement = statement(({ db, value }) =>
  db
    .deleteFrom('watch')
    .where('companyId', '=', value('companyId'))
    .where('subject', '=', value('subject')),
)

const heardStatement = statement<Heard>(({ db }) =>
  db
    .selectFrom('watch')
    .innerJoin('company', 'company.id', 'watch.companyId')
    .innerJoin('credential', (join) =>
      join
        .onRef('credential.companyId', '=', 'watch.companyId')
        .onRef('credential.owner', '=', 'watch.subject'),
    )
    .select((eb) => [
      'watch.companyId',
      'watch.subject',
      'watch.hours',
      'watch.raisedAt',
      eb.fn.max('credential.name').as('name'),
      eb.fn.max(eb.fn.coalesce('credential.lastUsedAt', 'credential.createdAt')).as('heardAt'),
    ])
    .where('company.disabledAt', 'is', null)
    .where('credential.revokedAt', 'is', null)
    .groupBy(['watch.companyId', 'watch.subject', 'watch.hours', 'watch.raisedAt']),
)

const waitingStatement = statement<{
  count: number
  whole: number
  part: number
  oldestAt: number | null
}>(
  (build) => sql`
    select cast(count(*) as bigint) as count, min(offer."readyAt") as "oldestAt",
      cast(coalesce(sum(line.amount / 10000), 0) as bigint) as whole,
      cast(coalesce(sum(line.amount % 10000), 0) as bigint) as part
    from ${readyOffers(build)}
    join "exportLine" as line on line."companyId" = offer."companyId" and line.id = offer."lineId"
      and line.revision = offer.revision
    where offer."companyId" = ${build.value('companyId')} and offer.state = 'ready'
      and offer."readyAt" < ${build.value('before')}`,
)

const raiseStatement = statement<{ companyId: number }>(({ db, value, values }) =>
  db
    .insertInto('watch')
    .values(values('companyId', 'subject', 'hours', 'raisedAt'))
    .onConflict((conflict) =>
      conflict
        .columns(['companyId', 'subject'])
        .doUpdateSet({ raisedAt: value('raisedAt') })
        .where('watch.raisedAt', 'is', null),
    )
    .returning('companyId'),
)

const lowerStatement = statement(({ db, value }) =>
  db
    .updateTable('watch')
    .set({ raisedAt: null })
    .where('companyId', '=', value('companyId'))
    .where('subject', '=', value('subject')),
)
