// Alert rules: what is monitored for a company, for how many hours, and whether an alert is raised.
import { crossCompanyStatement, statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { AlertRuleTable } from '../tables/operations.ts'

/** The alert rules of a company; the subject is the owner of API keys, or `export`. */
export function listAlertRules(reader: Reader, companyId: number): Awaitable<AlertRuleTable[]> {
  return reader.all(ofCompanyStatement, { companyId })
}

/** Inserts or replaces a rule, and clears its alert. */
export function saveAlertRule(writer: Writer, rule: Omit<AlertRuleTable, 'raisedAt'>): Awaitable<void> {
  return writer.run(saveStatement, { ...rule })
}

export function deleteAlertRule(
  writer: Writer,
  { companyId, subject }: Pick<AlertRuleTable, 'companyId' | 'subject'>,
): Awaitable<void> {
  return writer.run(deleteStatement, { companyId, subject })
}

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
export function listIntegrationActivity(reader: Reader): Awaitable<IntegrationActivity[]> {
  return reader.all(activityStatement, {})
}

/** Raises an alert; of several servers that do, one gets true. */
export async function raiseAlert(
  writer: Writer,
  rule: Omit<AlertRuleTable, 'raisedAt'>,
  raisedAt: number,
): Promise<boolean> {
  return (await writer.first(raiseAlertStatement, { ...rule, raisedAt })) !== undefined
}

export function clearAlert(
  writer: Writer,
  { companyId, subject }: Pick<AlertRuleTable, 'companyId' | 'subject'>,
): Awaitable<void> {
  return writer.run(clearAlertStatement, { companyId, subject })
}

const ofCompanyStatement = statement<AlertRuleTable>(({ db, value }) =>
  db.selectFrom('alertRule').selectAll().where('companyId', '=', value('companyId')),
)

const saveStatement = statement(({ db, values, value }) =>
  db
    .insertInto('alertRule')
    .values(values('companyId', 'subject', 'hours'))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'subject']).doUpdateSet({ hours: value('hours'), raisedAt: null }),
    ),
)

const deleteStatement = statement(({ db, value }) =>
  db.deleteFrom('alertRule').where('companyId', '=', value('companyId')).where('subject', '=', value('subject')),
)

const activityStatement = crossCompanyStatement<IntegrationActivity>(({ db }) =>
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
)

const raiseAlertStatement = statement<{ companyId: number }>(({ db, value, values }) =>
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

const clearAlertStatement = statement(({ db, value }) =>
  db
    .updateTable('alertRule')
    .set({ raisedAt: null })
    .where('companyId', '=', value('companyId'))
    .where('subject', '=', value('subject')),
)
