// Lines by the moment they became ready, and the next retrieval of all that waited: how long the lines of a week waited is
// asked of that week alone.
import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('offerReadyAt')
    .on('offer')
    .columns(['companyId', 'destinationId', 'readyAt'])
    .execute()
  await db.schema
    .createIndex('handOutOfAll')
    .on('handOut')
    .columns(['companyId', 'destinationId', 'at'])
    .where(sql.ref('query'), 'is', null)
    .execute()
}
