// Material: transactions and their revisions, lines and who is offered them, evidence, ledger, claims and audit (ADR 0040).
import { sql, type CreateTableBuilder, type Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)

  for (const counter of ['materialId', 'ledgerId', 'handOutId', 'batchId', 'auditId'])
    await db.schema
      .alterTable('counter')
      .addColumn(counter, integer, (column) => column.notNull().defaultTo(0))
      .execute()
  await db.schema
    .alterTable('credential')
    .addColumn('destinationId', integer, (column) => column.notNull().defaultTo(1))
    .execute()

  const content = {
    date: required('text'),
    employeeId: 'integer',
    departmentId: 'text',
    projectId: 'text',
    siteId: 'text',
    itemId: 'text',
    itemName: 'text',
    quantity: required('integer'),
    unit: 'text',
    costPrice: 'integer',
    salesPrice: 'integer',
    amount: 'integer',
    isBillable: 'integer',
    remark: 'text',
    source: required('text'),
    externalId: 'text',
  } as const

  await create(
    'material',
    {
      id: required('integer'),
      revision: required('integer'),
      ...content,
      state: required('text'),
      rejectionReason: 'text',
      approvedAt: 'integer',
      approvedBy: 'text',
      exportedAt: 'integer',
      registeredBy: required('text'),
      decidedAt: 'integer',
      decidedBy: 'text',
      changedAt: required('integer'),
      createdAt: required('integer'),
    },
    ['id'],
  )
  await index('materialState', 'material', ['state', 'id']).execute()
  await index('materialProject', 'material', ['projectId', 'id']).execute()
  // Before a record of the directory goes it is asked who refers to it.
  for (const column of ['employeeId', 'departmentId', 'siteId'])
    await index(`material_${column}`, 'material', [column, 'id'])
      .where(sql.ref(column), 'is not', null)
      .execute()
  await index('materialExternalId', 'material', ['source', 'externalId'])
    .unique()
    .where(sql.ref('externalId'), 'is not', null)
    .execute()

  // What a transaction said before it was changed; what it says now stands in `material`.
  await create(
    'materialRevision',
    {
      materialId: required('integer'),
      revision: required('integer'),
      content: required('text'),
      replacedAt: required('integer'),
      replacedBy: required('text'),
      requestId: required('text'),
    },
    ['materialId', 'revision'],
  )

  await create(
    'destination',
    {
      id: required('integer'),
      name: required('text'),
      corrections: required('text'),
      isExclusive: required('integer'),
      lockDate: 'text',
      exportedFields: 'text',
      batchesMax: required('integer'),
      failuresMax: required('integer'),
      /** Every line that was waiting at this stamp has been served. */
      servedAt: required('integer'),
      fence: required('integer'),
      createdAt: required('integer'),
    },
    ['id'],
  )
  await sql`insert into destination ("companyId", id, name, corrections, "isExclusive", "batchesMax",
      "failuresMax", "servedAt", fence, "createdAt")
    select id, 1, 'default', 'block', 0, 1, 5, 0, 0, "createdAt" from company`.execute(db)

  // What a line says never changes: another approval is another revision.
  await create(
    'exportLine',
    {
      id: required('integer'),
      revision: required('integer'),
      materialId: required('integer'),
      lineKind: required('text'),
      reversesId: 'integer',
      replacesId: 'integer',
      exportKey: required('text'),
      ...content,
      createdAt: required('integer'),
    },
    ['id', 'revision'],
  )
  await index('exportLineCorrection', 'exportLine', ['materialId', 'id'])
    .where(sql.ref('lineKind'), '<>', sql.lit('Original'))
    .execute()

  // Where a line stands at each destination.
  await create(
    'offer',
    {
      destinationId: required('integer'),
      lineId: required('integer'),
      materialId: 'integer',
      revision: required('integer'),
      generation: required('integer'),
      state: required('text'),
      readyAt: required('integer'),
      postingDate: required('text'),
      approvedAt: required('integer'),
      approvedBy: required('text'),
      failures: required('integer'),
      batchId: 'integer',
      markedAt: 'integer',
      markedBy: 'text',
      externalId: 'text',
    },
    ['destinationId', 'lineId'],
  )
  await index('offerReady', 'offer', ['destinationId', 'lineId'])
    .where('state', '=', sql.lit('ready'))
    .execute()

  await create(
    'handOut',
    {
      id: required('integer'),
      destinationId: required('integer'),
      actor: required('text'),
      requestId: required('text'),
      at: required('integer'),
      /** The query as it was asked, without secrets; null where all that waited was handed out. */
      query: 'text',
      upperLineId: required('integer'),
      count: required('integer'),
      quantity: required('text'),
      amount: required('text'),
      hash: required('text'),
      batchId: 'integer',
    },
    ['id'],
  )
  await index('handOutDestination', 'handOut', ['destinationId', 'at']).execute()

  await create(
    'servedLine',
    {
      destinationId: required('integer'),
      lineId: required('integer'),
      revision: required('integer'),
      firstHandOutId: required('integer'),
      lastServedOn: required('text'),
    },
    ['destinationId', 'lineId', 'revision'],
  )

  await create(
    'ledgerEntry',
    {
      id: required('integer'),
      destinationId: required('integer'),
      lineId: required('integer'),
      revision: required('integer'),
      generation: required('integer'),
      act: required('text'),
      at: required('integer'),
      actor: required('text'),
      requestId: required('text'),
      wasServed: required('integer'),
      externalId: 'text',
      externalUrl: 'text',
      externalBatchId: 'text',
      batchId: 'integer',
      code: 'text',
      reason: 'text',
    },
    ['id'],
  )
  await index('ledgerLine', 'ledgerEntry', ['lineId', 'id']).execute()
  // No line is newly exported twice, whatever else goes wrong.
  await index('ledgerMark', 'ledgerEntry', ['destinationId', 'lineId', 'generation'])
    .unique()
    .where('act', '=', sql.lit('marked'))
    .execute()

  await create(
    'batch',
    {
      id: required('integer'),
      destinationId: required('integer'),
      /** Rises with every claim and every end of one: a late holder is known by its own. */
      fence: required('integer'),
      holder: required('text'),
      state: required('text'),
      expiresAt: required('integer'),
      createdAt: required('integer'),
      requestId: required('text'),
      handOutId: required('integer'),
    },
    ['id'],
  )
  await index('batchOpen', 'batch', ['destinationId', 'expiresAt'])
    .where('state', '=', sql.lit('open'))
    .execute()
  await create(
    'batchLine',
    { batchId: required('integer'), lineId: required('integer'), revision: required('integer') },
    ['batchId', 'lineId'],
  )

  await create(
    'audit',
    {
      id: required('integer'),
      at: required('integer'),
      actor: required('text'),
      action: required('text'),
      target: required('text'),
      requestId: required('text'),
      data: required('text'),
      previousHash: required('text'),
      hash: required('text'),
    },
    ['id'],
  )

  const columns = Object.keys(content).map((name) => sql`line.${sql.ref(name)}`)
  await sql`create view exportable as
    select offer."companyId", offer."destinationId", offer."lineId" as id, offer."readyAt", ${sql.join(columns)},
      'Godkjent' as state, null as "rejectionReason", offer."approvedAt", offer."approvedBy",
      cast(null as bigint) as "exportedAt", offer."readyAt" as "changedAt", line."createdAt",
      line."materialId" as "transactionId", line.revision, line."lineKind", line."reversesId", line."replacesId",
      case when offer.generation = 1 then line."exportKey"
        else line."exportKey" || '.g' || offer.generation end as "exportKey",
      offer."postingDate", batch.holder as "heldBy", batch."expiresAt" as "heldUntil"
    from offer
    join "exportLine" as line on line."companyId" = offer."companyId" and line.id = offer."lineId"
      and line.revision = offer.revision
    left join batch on batch."companyId" = offer."companyId" and batch.id = offer."batchId"
      and batch.state = 'open'
    where offer.state = 'ready'`.execute(db)

  for (const name of ['ledgerEntry', 'materialRevision', 'exportLine', 'audit'])
    await appendOnly(name)

  async function create(
    name: string,
    columns: Readonly<Record<string, Column>>,
    key: readonly string[],
  ): Promise<void> {
    let table: CreateTableBuilder<string, string> = db.schema
      .createTable(name)
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
    for (const [column, shape] of Object.entries(columns)) {
      const [type, isRequired] = typeof shape === 'string' ? [shape, false] : [shape.required, true]
      table = table.addColumn(column, type === 'text' ? text : integer, (built) =>
        isRequired ? built.notNull() : built,
      )
    }
    await clustered(table.addPrimaryKeyConstraint(`${name}Key`, ['companyId', ...key])).execute()
  }

  function index(name: string, on: string, columns: readonly string[]) {
    return db.schema
      .createIndex(name)
      .on(on)
      .columns(['companyId', ...columns])
  }

  /** What is written there stays as it was written, whoever holds the database. */
  async function appendOnly(name: string): Promise<void> {
    if (dialect === 'sqlite') {
      for (const change of ['update', 'delete'])
        await sql`create trigger ${sql.id(`${name}No${change}`)} before ${sql.raw(change)} on ${sql.table(name)}
          begin select raise(abort, 'append-only'); end`.execute(db)
      return
    }
    await sql`create or replace function "refuseChange"() returns trigger language plpgsql as
      $$ begin raise exception 'append-only'; end $$`.execute(db)
    await sql`create trigger ${sql.id(`${name}NoChange`)} before update or delete on ${sql.table(name)}
      for each row execute function "refuseChange"()`.execute(db)
  }
}

type ColumnType = 'text' | 'integer'

/** A column is empty where nothing is known, unless it is required. */
type Column = ColumnType | { readonly required: ColumnType }

function required<Type extends ColumnType>(type: Type) {
  return { required: type }
}
