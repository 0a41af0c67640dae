// Representations: the record in the reply to a write, shaped by `$select`, `$expand` and `$format`.
import { planContextFor } from '../odata/read-resource.ts'
import { resolvePath, serviceRootOf } from '../odata/resource-url.ts'
import { writeResponseFormat } from '../odata/response.ts'
import type { WriteRequest } from './handle-write.ts'
import { notSupportedError } from '../../errors/api-error.ts'
import { etagOf } from '../../engine/model/etag.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { entityBody, withEtag } from '../../engine/formats/write/envelope.ts'
import { recordUrl } from '../../engine/formats/write/record-url.ts'
import {
  serializeRecord,
  type OutputRecord,
  type SerializeOptions,
} from '../../engine/formats/write/record-serializer.ts'
import { planRead, planResourcePath } from '../../engine/planner/plan-read.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { readInTransaction } from '../../store/read.ts'
import type { Transaction } from '../../store/store.ts'

export interface Representation {
  readonly contentType: string
  /** The same for lists, whose records have no metadata: never full. */
  readonly listContentType: string
  /** Headers of every reply. */
  readonly headers: Readonly<Record<string, string>>
  /** The absolute URL of the called service root. */
  readonly root: string
  /** The format of the plain fields of records, as in lists. */
  readonly format: SerializeOptions
  /** Throws `NotSupported` for a list, if related records are requested. */
  readonly requireList: () => void
  /** The body with one record as the transaction stored it. */
  readonly serialize: (transaction: Transaction, record: OutputRecord) => Promise<string>
}

/**
 * Plans the reply before anything is written. Throws what a read with these options throws, and `NotSupported` for what
 * would take long inside of the transaction: relations to many.
 */
export function planRepresentation(
  resource: Resource,
  { request, caller, query, isDryRun }: WriteRequest,
  clock: () => number,
): Representation {
  const { recordFormat, headers: all } = writeResponseFormat(request, query)
  const { 'Content-Type': contentType = '', ...headers } = all
  const context = planContextFor(serviceSchema, { request, caller, clock, recordFormat })
  const plan = planRead(resource, query, context)
  const { select, expand, collectionCount } = plan
  const isRead = expand.length > 0 || recordFormat.metadata === 'full'
  if (collectionCount > 0) throw notSupportedError('expandOfManyInWrite', '$expand')
  if (isRead && isDryRun) {
    const ofFormat = query.has('$format') ? '$format' : 'header:Accept'
    throw notSupportedError('readInDryRun', expand.length > 0 ? '$expand' : ofFormat)
  }
  const { decimals, root } = recordFormat
  const format = { resource, select, dates: 'date', format: 'json', decimals } as const
  return {
    contentType,
    listContentType: contentType.replace('metadata=full', 'metadata=minimal'),
    headers,
    root,
    format,
    requireList: () => {
      if (expand.length > 0) throw notSupportedError('expandInList', '$expand')
    },
    serialize: async (transaction, record) => {
      if (!isRead) {
        const text = serializeRecord(record, format)
        return entityBody(plan, withEtag(recordFormat, text, etagOf(resource, record)))
      }
      const key = resource.key.map((name) => record[name] ?? null)
      const path = `/${serviceRootOf(request.path)}/${recordUrl(resource, key)}`
      const resolved = resolvePath(serviceSchema, path)
      const keyed = resolved === null ? null : planResourcePath(resolved, query, context)
      if (keyed === null) throw new Error(`the URL of a written record does not resolve: ${path}`)
      const [json = '{}'] = await readInTransaction(transaction, keyed)
      return entityBody(plan, json)
    },
  }
}
