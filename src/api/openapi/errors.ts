// JSON schemas of errors and of results per row.
import { detailsMax } from '../../errors/api-error.ts'
import { errorCatalog } from '../../errors/catalog.ts'
import { resultNames } from '../../engine/formats/write/wire-names.ts'

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

const details = {
  type: 'array',
  maxItems: detailsMax,
  items: { type: 'object', additionalProperties: false, required: ['code', 'message'], properties: errorProperties },
}

const problems = { type: 'integer', description: 'The total number of problems' }
const outcome = { type: 'string', enum: ['not_applied', 'unknown'] }

const counts = { type: 'object', additionalProperties: { type: 'integer' } }

/** One result per element, and the number of results by code. */
const results = {
  [resultNames.results]: {
    type: 'array',
    items: {
      type: 'object',
      required: ['code'],
      properties: {
        index: { type: 'integer' },
        id: { description: 'As sent, when it is not a valid id' },
        code: { type: 'string' },
        message: { type: 'string' },
        target: { type: ['string', 'null'] },
      },
    },
  },
  [resultNames.counts]: counts,
}

export const errorSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'message', 'requestId', 'outcome'],
      properties: { ...errorProperties, details, problems, requestId: { type: 'string' }, outcome, ...results },
    },
  },
}

/** RFC 9457. */
export const problemSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'outcome'],
  properties: {
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
  },
}

/** One result per row, for `atomic=false`. */
export const outcomesSchema = {
  type: 'object',
  additionalProperties: false,
  required: [resultNames.results, resultNames.counts],
  properties: {
    [resultNames.results]: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['index', 'code'],
        properties: {
          index: { type: 'integer' },
          code: { enum: ['inserted', 'updated', 'unchanged', ...Object.keys(errorCatalog)] },
          record: { type: 'object' },
          message: { type: 'string' },
          target: { type: ['string', 'null'] },
        },
      },
    },
    [resultNames.counts]: counts,
  },
}

export const resultsSchema = {
  type: 'object',
  additionalProperties: false,
  required: [resultNames.results, resultNames.counts],
  properties: results,
}

export const errorResponse = {
  description: 'Error: `code` is the reason, `target` the location',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    'application/xml': { schema: { $ref: '#/components/schemas/Error' } },
  },
}
