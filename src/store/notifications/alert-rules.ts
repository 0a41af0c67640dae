// Alert rules: what is monitored for a company, for how many hours, and whether an alert is raised.
import { deleteWhere, selectWhere } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, type NoValues } from '../queries.ts'
import type { AlertRuleTable } from '../tables/operations.ts'

/** The alert rules of a company; the subject is the owner of API keys, or `export`. */
export const listAlertRules = rowsQuery(selectWhere('alertRule', ['companyId']))

/** Inserts or replaces a rule, and clears its alert. */
export const saveAlertRule = command<Omit<AlertRuleTable, 'raisedAt'>>(({ db, values, value }) =>
  db
    .insertInto('alertRule')
    .values(values('companyId', 'subject', 'hours'))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'subject']).doUpdateSet({ hours: value('hours'), raisedAt: null }),
    ),
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
  ({ db }) =>
    db
      .selectFrom('alertRule')
      .innerJoin('company', 'company.id', 'alertRule.companyId')
      .innerJoin('credential', (join) =>
        join
          .onRef('credential.companyId', '=', 'alertRule.companyId')
          .onRef('credential.owner', '=', 'alertRule.subject'),
      )
      .select((eb) => [
        'alertRule.companyId',
        'alertRule.subject',
        'alertRule.hours',
        'alertRule.raisedAt',
        eb.fn.max('credential.name').as('name'),
        eb.fn.max(eb.fn.coalesce('credential.lastUsedAt', 'credential.createdAt')).as('lastSeenAt'),
      ])
      .where('company.disabledAt', 'is', null)
      .where('credential.revokedAt', 'is', null)
      .groupBy(['alertRule.companyId', 'alertRule.subject', 'alertRule.hours', 'alertRule.raisedAt']),
  'everyCompany',
)

/** Raises an alert; of several servers that do, one gets true. */
export const raiseAlert = commandChanges<Omit<AlertRuleTable, 'raisedAt'> & { raisedAt: number }>(
  ({ db, value, values }) =>
    db
      .insertInto('alertRule')
      .values(values('companyId', 'subject', 'hours', 'raisedAt'))
      .onConflict((conflict) =>
        conflict
          .columns(['companyId', 'subject'])
          .doUpdateSet({ raisedAt: value('raisedAt') })
          .where('alertRule.raisedAt', 'is', null),
      )
      .returning('companyId'),
)

export const clearAlert = command<Pick<AlertRuleTable, 'companyId' | 'subject'>>(({ db, value }) =>
  db
    .updateTable('alertRule')
    .set({ raisedAt: null })
    .where('companyId', '=', value('companyId'))
    .where('subject', '=', value('subject')),
)
