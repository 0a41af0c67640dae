// The house as its operator sees it: companies and how many belong to each, never what is theirs.
import { sql } from 'kysely'
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader } from '#store/store.ts'

export interface CompanyShown {
  readonly name: string
  readonly createdAt: number
  readonly disabledAt: number | null
  /** Who may sign in. */
  readonly people: number
  /** Keys and passwords that are not revoked. */
  readonly credentials: number
}

/** By name. */
export const companiesShown = (reader: Reader): Awaitable<CompanyShown[]> =>
  reader.all(companiesStatement, {})

export interface MailShown {
  readonly waiting: number
  /** Over without having gone. */
  readonly givenUp: number
  readonly lastSentAt: number | null
}

/** Of the letters that are still remembered. */
export const mailShown = async (reader: Reader): Promise<MailShown> =>
  (await reader.first(mailStatement, {})) ?? { waiting: 0, givenUp: 0, lastSentAt: null }

const companiesStatement = statement<CompanyShown>(
  () => sql`
    select company.name, company."createdAt", company."disabledAt",
      (select cast(count(*) as bigint) from membership
        where membership."companyId" = company.id and membership."disabledAt" is null) as people,
      (select cast(count(*) as bigint) from credential
        where credential."companyId" = company.id and credential."revokedAt" is null) as credentials
    from company order by company."nameKey"`,
)

const mailStatement = statement<MailShown>(
  () => sql`
    select cast(count("dueAt") as bigint) as waiting, max("sentAt") as "lastSentAt",
      cast(count(*) - count("dueAt") - count("sentAt") as bigint) as "givenUp"
    from mail`,
)
