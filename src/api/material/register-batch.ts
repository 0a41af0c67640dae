// Registration of a batch of transactions from another system (interface 4.4).
import { serializeItemResults } from '../../engine/formats/write/record-serializer.ts'
import { ApiError, type ItemResult, type ErrorDetail } from '../../errors/api-error.ts'
import { materialNames, materialTransaction } from '../../model/transaction.ts'
import { bodyOptions, requireOutcome, writeDescription } from './material-writes.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { negotiateFormat, negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { registerBatch, type RegisterOutcome } from '../../material/register-batch.ts'
import { writeHandler, type ReceivedWrite } from '../write-pipeline/handle-write.ts'
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
    const { rows, problems } = await parseRecords(write.body, {
      ...bodyOptions(write, api),
      shape: 'many',
      listMember: materialNames.transactions,
    })
    const valid = rows.filter(({ details }) => details.length === 0)
    return async (transaction) => {
      const registered = await registerBatch(transaction, valid, write.context)
      const rejected = registered.flatMap((one) => ('details' in one ? one.details : []))
      const remaining = registered.values()
      const outcomes = rows.map(({ details }) =>
        details.length > 0 ? { details } : requireOutcome(remaining.next().value),
      )
      requireApplied(outcomes, problems + rejected.length, write)
      const format = negotiateFormat(request.header('accept'))
      const headers = { 'Content-Type': `application/${format}; charset=utf-8` }
      const results = outcomes.map((outcome, index) => toResult(outcome, index, write))
      return { status: 200, headers, body: await serializeItemResults(results, format) }
    }
  }),
}

function requireApplied(
  outcomes: readonly RegisterOutcome[],
  problems: number,
  { isAtomic, request }: ReceivedWrite,
): void {
  const failed = outcomes.flatMap((outcome, index) => ('details' in outcome ? { index, ...outcome } : []))
  if (failed.length === 0 || (!isAtomic && failed.length < outcomes.length)) return
  const details = failed.flatMap((outcome) => outcome.details)
  const language = negotiateLanguage(request.header('accept-language'))
  throw new ApiError(isAtomic ? 'InvalidRows' : 'NoItemsProcessed', {
    details,
    problems,
    params: { count: failed.length },
    results: failed.map((outcome) => errorResult(outcome.index, outcome.details, language)),
  })
}

function toResult(outcome: RegisterOutcome, index: number, { request, isDryRun }: ReceivedWrite): ItemResult {
  if ('details' in outcome)
    return errorResult(index, outcome.details, negotiateLanguage(request.header('accept-language')))
  const { code, material } = outcome
  return { index, id: isDryRun && code === 'registered' ? null : material.id, code }
}

function errorResult(
  index: number,
  [detail]: readonly ErrorDetail[],
  language: Parameters<typeof toErrorResult>[2],
): ItemResult {
  if (detail === undefined) throw new Error('an error without a detail')
  const { existing } = detail
  return { ...toErrorResult(index, detail, language), ...(existing === undefined ? {} : { existing }) }
}
