// Lines that failed too often are parked: kept from claims, and told to whoever asks; and alarms have an index of their own.
import { sql, type Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await db.schema.alterTable('offer').addColumn('parkedAt', shapes(dialect).integer).execute()
  await db.schema
    .createIndex('ledgerAlarm')
    .on('ledgerEntry')
    .columns(['companyId', 'destinationId', 'id'])
    .where(sql.ref('act'), '=', sql.lit('alarm'))
    .execute()

  const columns = content.map((name) => sql.ref(`line.${name}`))
  await db.schema.dropView('exportable').execute()
  await sql`create view exportable as
    select offer."companyId", offer."destinationId", offer."lineId" as id, offer."readyAt", ${sql.join(columns)},
      'Godkjent' as state, null as "rejectionReason", offer."approvedAt", offer."approvedBy",
      cast(null as bigint) as "exportedAt", offer."readyAt" as "changedAt", line."createdAt",
      line."materialId" as "transactionId", line.revision, line."lineKind", line."reversesId", line."replacesId",
      case when offer.generation = 1 then line."exportKey"
        else line."exportKey" || '.g' || offer.generation end as "exportKey",
      offer."postingDate", batch.holder as "heldBy", batch."expiresAt" as "heldUntil", offer.failures, offer."parkedAt"
    from offer
    join "exportLine" as line on line."companyId" = offer."companyId" and line.id = offer."lineId"
      and line.revision = offer.revision
    left join batch on batch."companyId" = offer."companyId" and batch.id = offer."batchId"
      and batch.state = 'open'
    where offer.state = 'ready'`.execute(db)
}

const content = [
  'date',
  'employeeId',
  'departmentId',
  'projectId',
  'siteId',
  'itemId',
  'itemName',
  'quantity',
  'unit',
  'costPrice',
  'salesPrice',
  'amount',
  'isBillable',
  'remark',
  'source',
  'externalId',
]
