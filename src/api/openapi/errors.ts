// JSON schemas of errors and of results per row.
import { detailsMax } from '../../errors/api-error.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import { resultNames } from '../../engine/formats/write/wire-names.ts'
import { closedObject } from './schemas.ts'

const errorCode = { $ref: '#/components/schemas/ErrorCode' }

/** Every code, described by its status and its message in both languages. */
export const errorCodeSchema = {
  type: 'string',
  enum: Object.keys(errorCatalog),
  'x-enumDescriptions': Object.fromEntries(
    Object.entries(errorCatalog).map(([code, { status, en, nb }]) => [code, `${status}: ${en} – ${nb}`]),
  ),
}

/** The properties of an error and of each of its details. */
const errorProperties = {
  code: errorCode,
  message: { type: 'string' },
  target: { type: 'string', description: 'Where: [3].Dato, $filter:17, header:tb-key' },
  existing: { type: 'integer', description: 'The key of the conflicting record' },
}

const details = { type: 'array', maxItems: detailsMax, items: closedObject(['code', 'message'], errorProperties) }

const problems = { type: 'integer', description: 'The total number of problems' }
const outcome = { type: 'string', enum: ['not_applied', 'unknown'] }
const message = { type: 'string' }
const target = { type: ['string', 'null'] }

/** One result per element, and the number of results by code. */
function resultsOf(items: object) {
  return {
    [resultNames.results]: { type: 'array', items },
    [resultNames.counts]: { type: 'object', additionalProperties: { type: 'integer' } },
  }
}

const results = resultsOf({
  type: 'object',
  required: ['code'],
  properties: {
    index: { type: 'integer' },
    id: { description: 'As sent, when it is not a valid id' },
    code: { type: 'string' },
    message,
    target,
  },
})

export const errorSchema = closedObject(['error'], {
  error: closedObject(['code', 'message', 'requestId', 'outcome'], {
    ...errorProperties,
    details,
    problems,
    requestId: { type: 'string' },
    outcome,
    ...results,
  }),
})

/** RFC 9457. */
export const problemSchema = closedObject(['type', 'title', 'status', 'detail', 'instance', 'code', 'outcome'], {
  type: { type: 'string' },
  title: { type: 'string' },
  status: { type: 'integer' },
  detail: errorProperties.message,
  instance: { type: 'string' },
  code: errorCode,
  target: errorProperties.target,
  existing: errorProperties.existing,
  details,
  problems,
  outcome,
  ...results,
})

/** One result per row, for `atomic=false`. */
export const outcomesSchema = closedObject(
  [resultNames.results, resultNames.counts],
  resultsOf(
    closedObject(['index', 'code'], {
      index: { type: 'integer' },
      code: { enum: ['inserted', 'updated', 'unchanged', ...Object.keys(errorCatalog)] },
      record: { type: 'object' },
      message,
      target,
    }),
  ),
)

export const resultsSchema = closedObject([resultNames.results, resultNames.counts], results)

export const errorResponse = {
  description: 'Error: `code` is the reason, `target` the location',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    'application/xml': { schema: { $ref: '#/components/schemas/Error' } },
  },
}
