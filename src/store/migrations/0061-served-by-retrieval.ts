// What a retrieval served, by the retrieval: the app shows its lines.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('servedLineHandOut')
    .on('servedLine')
    .columns(['companyId', 'destinationId', 'firstHandOutId', 'lineId'])
    .execute()
}
