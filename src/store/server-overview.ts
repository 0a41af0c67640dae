// Server overview: what operators see of the server, with counts but without any company's data.
import { sql } from 'kysely'
import { rowsQuery, type NoValues } from './queries.ts'
import { crossCompanyStatement } from './statement.ts'
import type { Reader } from './store.ts'

export interface CompanySummary {
  readonly id: number
  readonly name: string
  readonly createdAt: number
  readonly disabledAt: number | null
  /** Members who may sign in. */
  readonly people: number
  /** Keys and passwords that are not revoked. */
  readonly credentials: number
}

/** By name. */
export const listCompanySummaries = rowsQuery<NoValues, CompanySummary>(
  () => sql`
    select company.id, company.name, company."createdAt", company."disabledAt",
      (select cast(count(*) as bigint) from membership
        where membership."companyId" = company.id and membership."disabledAt" is null) as people,
      (select cast(count(*) as bigint) from credential
        where credential."companyId" = company.id and credential."revokedAt" is null) as credentials
    from company order by company."nameKey"`,
  'everyCompany',
)

export interface MailSummary {
  readonly waiting: number
  /** Abandoned without having been sent. */
  readonly givenUp: number
  readonly lastSentAt: number | null
}

/** Counts the mails that are not deleted yet. */
export async function getMailSummary(reader: Reader): Promise<MailSummary> {
  return (await reader.first(mailStatement, {})) ?? { waiting: 0, givenUp: 0, lastSentAt: null }
}

/** The size of the database on the disk, in bytes; on SQLite without the write-ahead log. */
export async function getDatabaseBytes(reader: Reader): Promise<number> {
  return (await reader.first(sizeStatement, {}))?.bytes ?? 0
}

const mailStatement = crossCompanyStatement<MailSummary>(
  () => sql`
    select cast(count("nextAttemptAt") as bigint) as waiting, max("sentAt") as "lastSentAt",
      cast(count(*) - count("nextAttemptAt") - count("sentAt") as bigint) as "givenUp"
    from mail`,
)

const sizeStatement = crossCompanyStatement<{ bytes: number }>(({ dialect }) =>
  dialect === 'sqlite'
    ? sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql`select pg_database_size(current_database()) as bytes`,
)
