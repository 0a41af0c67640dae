// Saved import mappings of a company: save, rename, delete.
import { invalid } from '../audited-action.ts'
import { readFields, readList, shortText, type Fields } from '../body.ts'
import { subjectIn } from './imports.ts'
import { json, type Asked } from '../route.ts'
import { columnsPut } from '../../imports/columns.ts'
import { mappedColumns, mappingText } from '../../imports/mapping.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import {
  deleteImportMapping,
  importMappings,
  renameImportMapping,
  saveImportMapping,
} from '../../store/imports/import-mappings.ts'
import type { Transaction } from '../../store/store.ts'

/**
 * Saves a mapping, replacing one of the same name. Throws `UnreadableFile` for columns that cannot be imported, and
 * `InvalidValue` when the company has a hundred for the set.
 */
export async function keepMapping(asked: Asked): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  const subject = subjectIn(asked)
  const query = parseQuery(request.search, knownParameters(['name'], 'refused'))
  const name = nameIn(new Map(query), 'name')
  const columns = await readList(request)
  const headers = columns.map((column) => column.get('header') ?? '')
  const fields = columns.map((column) => column.get('field') ?? '')
  columnsPut(subject, headers, fields)
  const text = mappingText(headers, fields)
  if (text.length > textMax)
    throw new Fault('ValueTooLong', { says: { field: 'header', max: textMax } })
  const mapping = { name, columns: text, savedAt: clock() }
  const { wire } = subject.resource
  await store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const others = (await namesOf(transaction, wire)).filter((one) => one !== name)
    if (others.length >= mappingsMax) throw invalid('name', phrase('aHundredAlready'))
    await saveImportMapping(transaction, wire, mapping)
  })
  return done
}

/** Throws `NotFound`, and `AlreadyExists` when another mapping has the name. */
export async function renameMapping(asked: Asked): Promise<Reply> {
  const { store, request, visitor } = asked
  const { wire } = subjectIn(asked).resource
  const fields = await readFields(request)
  const [name, to] = [nameIn(fields, 'name'), nameIn(fields, 'to')]
  await store.inTransaction(visitor.caller.companyId, async (transaction) => {
    if (name !== to && (await namesOf(transaction, wire)).includes(to))
      throw new Fault('AlreadyExists', { target: 'to', says: { what: to } })
    if (!(await renameImportMapping(transaction, wire, { name, to })))
      throw new Fault('NotFound', { says: { what: name } })
  })
  return done
}

/** Replies with the deleted mapping, so that the page can undo. Throws `NotFound`. */
export async function dropMapping(asked: Asked): Promise<Reply> {
  const { store, request, visitor } = asked
  const { wire } = subjectIn(asked).resource
  const name = nameIn(await readFields(request), 'name')
  const dropped = await store.inTransaction(visitor.caller.companyId, (transaction) =>
    deleteImportMapping(transaction, wire, name),
  )
  if (dropped === undefined) throw new Fault('NotFound', { says: { what: name } })
  return json({
    columns: mappedColumns(dropped).map(([header, field]) => ({ header, field })),
  })
}

const done: Reply = { status: 204, headers: {}, body: null }

async function namesOf(transaction: Transaction, resource: string): Promise<string[]> {
  return (await importMappings(transaction, transaction.companyId, resource)).map(
    ({ name }) => name,
  )
}

function nameIn(fields: Fields, field: string): string {
  return shortText(fields, field, 60)
}

const mappingsMax = 100

/** The total number of characters of headers and fields. */
const textMax = 50_000
