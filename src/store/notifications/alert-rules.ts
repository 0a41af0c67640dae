// Alert rules: what is monitored for a company, for how many hours, and whether an alert is raised.
import { deleteWhere, selectWhere, updateWhere, upsertInto } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, type NoValues } from '../queries.ts'
import { sql } from 'kysely'
import type { AlertRuleTable } from '../tables/operations.ts'

/** The alert rules of a company; the subject is the owner of API keys, or `export`. */
export const listAlertRules = rowsQuery(selectWhere('alertRule', ['companyId']))

/** Inserts or replaces a rule, and clears its alert. */
export const saveAlertRule = command<Omit<AlertRuleTable, 'raisedAt'>>(
  (build) => sql`${upsertHours(build)}, "raisedAt" = null`,
)

export const deleteAlertRule = command(deleteWhere('alertRule', 'companyId', 'subject'))

/** An owner of API keys, and when one of its active keys was last used or created. */
export interface IntegrationActivity {
  readonly companyId: number
  readonly subject: string
  /** The name of the integration. */
  readonly name: string
  readonly hours: number
  readonly raisedAt: number | null
  readonly lastSeenAt: number
}

/** The activity of integrations with an alert rule, in every open company. */
export const listIntegrationActivity = rowsQuery<NoValues, IntegrationActivity>(
  () => sql`
    select alert."companyId", alert.subject, alert.hours, alert."raisedAt", max(credential.name) as name,
      max(coalesce(credential."lastUsedAt", credential."createdAt")) as "lastSeenAt"
    from "alertRule" as alert
    join company on company.id = alert."companyId" and company."disabledAt" is null
    join credential on credential."companyId" = alert."companyId" and credential.owner = alert.subject
      and credential."revokedAt" is null
    group by alert."companyId", alert.subject, alert.hours, alert."raisedAt"`,
  'everyCompany',
)

/** Raises an alert; of several servers that do, one gets true. */
export const raiseAlert = commandChanges<Omit<AlertRuleTable, 'raisedAt'> & { raisedAt: number }>(
  ({ value }) => sql`
    insert into "alertRule" ("companyId", subject, hours, "raisedAt")
    values (${value('companyId')}, ${value('subject')}, ${value('hours')}, ${value('raisedAt')})
    on conflict ("companyId", subject) do update set "raisedAt" = excluded."raisedAt"
      where "alertRule"."raisedAt" is null
    returning "companyId"`,
)

export const clearAlert = command(updateWhere('alertRule', ['companyId', 'subject'], [], sql`"raisedAt" = null`))

const upsertHours = upsertInto('alertRule', ['companyId', 'subject'], ['hours'])
