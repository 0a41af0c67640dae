// Registration of a batch of transactions from another system (interface 4.4).
import { serializeItemResults } from '../../engine/formats/write/item-results.ts'
import { ApiError, type ItemResult } from '../../errors/api-error.ts'
import type { Language } from '../../errors/messages.ts'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import { materialNames, materialTransaction } from '../../model/transaction.ts'
import { bodyOptions, requireOutcome, writeDescription } from './material-writes.ts'
import { ignoredNamesHeader, writeParametersOf, type Operation } from '../operation.ts'
import { negotiateFormat, negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { registerBatch, type RegisterOutcome } from '../../material/register-batch.ts'
import { wantsStrict, writeHandler, type ReceivedWrite } from '../write-pipeline/handle-write.ts'
import { rejectUnknownFields } from '../../engine/formats/read/read-id-lists.ts'
import { parseRecords } from '../../engine/formats/read/read-records.ts'
import { toErrorResult } from '../write-pipeline/row-results.ts'

const batchParameters = writeParametersOf(['dryRun', 'atomic'])

export const registerBatchOperation: Operation = {
  ...writeDescription,
  summary: 'Register transactions from another system',
  input: materialTransaction,
  parameters: batchParameters,
  body: 'many',
  supportsXml: true,
  responseKind: 'results',
  handle: writeHandler({ ...writeDescription, parameters: batchParameters }, async (write, api) => {
    const { request } = write
    const body = await parseRecords(write.body, {
      ...bodyOptions(write, api),
      shape: 'many',
      listMember: materialNames.transactions,
    })
    const { problems, ignoredFields } = body
    const rows = body.rows.slice()
    if (wantsStrict(request))
      rejectUnknownFields({ unknownFields: ignoredFields }, { members: [materialNames.transactions] })
    const valid = rows.filter(({ details }) => details.length === 0)
    return async (transaction) => {
      const registered = await registerBatch(transaction, valid, write.context)
      const rejected = registered.flatMap((one) => ('details' in one ? one.details : []))
      const remaining = registered.values()
      const outcomes = rows.map(({ details }) =>
        details.length > 0 ? { details } : requireOutcome(remaining.next().value),
      )
      const results = await listResults(outcomes, write)
      requireApplied(outcomes, results, { problems: problems + rejected.length, isAtomic: write.isAtomic })
      const format = negotiateFormat(request.header('accept'))
      const headers = {
        'Content-Type': `application/${format}; charset=utf-8`,
        ...ignoredNamesHeader('X-Ignored-Fields', ignoredFields),
      }
      return { status: 200, headers, body: await serializeItemResults(results, format) }
    }
  }),
}

/** Throws where the list is rejected as a whole. */
function requireApplied(
  outcomes: readonly RegisterOutcome[],
  results: readonly ItemResult[],
  { problems, isAtomic }: { readonly problems: number; readonly isAtomic: boolean },
): void {
  const details = outcomes.flatMap((outcome) => ('details' in outcome ? [outcome.details] : []))
  const { length: count } = details
  if (count === 0 || (!isAtomic && count < outcomes.length)) return
  throw new ApiError(isAtomic ? 'InvalidRows' : 'NoItemsProcessed', {
    details: details.flat(),
    problems,
    params: { count },
    results: results.filter((_, index) => 'details' in (outcomes[index] ?? {})),
  })
}

/** The result of each row, in turns of the event loop. */
async function listResults(outcomes: readonly RegisterOutcome[], { request, isDryRun }: ReceivedWrite) {
  const language = negotiateLanguage(request.header('accept-language'))
  const results: ItemResult[] = []
  await forEachChunk(outcomes, 5000, (chunk, start) => {
    for (const [at, outcome] of chunk.entries()) results.push(toResult(outcome, start + at, { language, isDryRun }))
  })
  return results
}

function toResult(
  outcome: RegisterOutcome,
  index: number,
  { language, isDryRun }: { readonly language: Language; readonly isDryRun: boolean },
): ItemResult {
  if ('material' in outcome) {
    const { code, material } = outcome
    return { index, id: isDryRun && code === 'registered' ? null : material.id, code }
  }
  const [detail] = outcome.details
  if (detail === undefined) throw new Error('an error without a detail')
  const { existing } = detail
  return { ...toErrorResult(index, detail, language), ...(existing === undefined ? {} : { existing }) }
}
