// Every migration there is, in order; the position is the schema's version.
import type { Kysely } from 'kysely'
import * as first from './0001-first.ts'
import * as directory from './0002-directory.ts'
import * as directoryWrites from './0010-directory-writes.ts'
import * as materials from './0020-materials.ts'
import * as revenueDeletions from './0025-revenue-deletions.ts'
import * as session from './0030-session.ts'
import * as ownMaterial from './0031-own-material.ts'
import * as disabledMembers from './0040-disabled-members.ts'
import * as parking from './0045-parking.ts'
import * as foldedHandOuts from './0046-folded-hand-outs.ts'
import * as webhooks from './0047-webhooks.ts'
import * as secondFactor from './0050-second-factor.ts'
import * as identities from './0051-identities.ts'
import * as passkeys from './0052-passkeys.ts'
import * as mail from './0055-mail.ts'
import * as links from './0056-links.ts'
import * as watch from './0057-watch.ts'
import * as calls from './0058-calls.ts'
import * as imports from './0060-imports.ts'
import * as servedByRetrieval from './0061-served-by-retrieval.ts'
import * as savedViews from './0065-saved-views.ts'
import * as passages from './0070-passages.ts'
import * as materialInOrder from './0072-material-in-order.ts'
import * as items from './0075-items.ts'
import * as lag from './0076-lag.ts'
import * as revenueFeed from './0077-revenue-feed.ts'
import * as importMappings from './0078-import-mappings.ts'
import * as failures from './0081-failures.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export interface NumberedMigration {
  readonly name: string
  readonly up: (db: Kysely<unknown>, dialect: DialectName) => Promise<void>
}

/** It wrote statistics for SQLite, which are now written after all migrations (ADR 0029). */
async function nothing(): Promise<void> {}

export const migrations: readonly NumberedMigration[] = [
  { name: '0001-first', up: first.up },
  { name: '0002-directory', up: directory.up },
  { name: '0010-directory-writes', up: directoryWrites.up },
  { name: '0020-materials', up: materials.up },
  { name: '0025-revenue-deletions', up: revenueDeletions.up },
  { name: '0026-planner-statistics', up: nothing },
  { name: '0030-session', up: session.up },
  { name: '0031-own-material', up: ownMaterial.up },
  { name: '0032-line-statistics', up: nothing },
  { name: '0040-disabled-members', up: disabledMembers.up },
  { name: '0043-own-material-statistics', up: nothing },
  { name: '0045-parking', up: parking.up },
  { name: '0046-folded-hand-outs', up: foldedHandOuts.up },
  { name: '0047-webhooks', up: webhooks.up },
  { name: '0050-second-factor', up: secondFactor.up },
  { name: '0051-identities', up: identities.up },
  { name: '0052-passkeys', up: passkeys.up },
  { name: '0055-mail', up: mail.up },
  { name: '0056-links', up: links.up },
  { name: '0057-watch', up: watch.up },
  { name: '0058-calls', up: calls.up },
  { name: '0060-imports', up: imports.up },
  { name: '0061-served-by-retrieval', up: servedByRetrieval.up },
  { name: '0065-saved-views', up: savedViews.up },
  { name: '0070-passages', up: passages.up },
  { name: '0072-material-in-order', up: materialInOrder.up },
  { name: '0075-items', up: items.up },
  { name: '0076-lag', up: lag.up },
  { name: '0077-revenue-feed', up: revenueFeed.up },
  { name: '0078-import-mappings', up: importMappings.up },
  { name: '0081-failures', up: failures.up },
]
