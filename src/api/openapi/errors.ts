// What a refusal looks like, and what is told row by row, as schemas.
import { detailsMax, faults } from '../../errors/catalog.ts'
import { resultWords } from '../../engine/formats/write/wire-names.ts'

const faultCode = { type: 'string', enum: Object.keys(faults) }

/** What a refusal and each of its details say. */
const told = {
  code: faultCode,
  message: { type: 'string' },
  target: { type: 'string', description: 'Where: [3].Dato, $filter:17, header:tb-key' },
  existing: { type: 'integer', description: 'The key of the record that stands in the way' },
}

const details = {
  type: 'array',
  maxItems: detailsMax,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'message'],
    properties: told,
  },
}

const problems = { type: 'integer', description: 'How many problems there are in all' }
const outcome = { type: 'string', enum: ['not_applied', 'unknown'] }

/** What became of each element, and how many there are of each code. */
const results = {
  [resultWords.results]: {
    type: 'array',
    items: {
      type: 'object',
      required: ['code'],
      properties: {
        index: { type: 'integer' },
        id: { description: 'As it was sent, where it is no id' },
        code: { type: 'string' },
        message: { type: 'string' },
        target: { type: ['string', 'null'] },
      },
    },
  },
  [resultWords.counts]: { type: 'object', additionalProperties: { type: 'integer' } },
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
      properties: {
        ...told,
        details,
        problems,
        requestId: { type: 'string' },
        outcome,
        ...results,
      },
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
    detail: told.message,
    instance: { type: 'string' },
    code: faultCode,
    target: told.target,
    existing: told.existing,
    details,
    problems,
    outcome,
    ...results,
  },
}

/** What became of each row, for callers who took the good ones (`atomic=false`). */
export const outcomesSchema = {
  type: 'object',
  additionalProperties: false,
  required: [resultWords.results, resultWords.counts],
  properties: {
    [resultWords.results]: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['index', 'code'],
        properties: {
          index: { type: 'integer' },
          code: { enum: ['inserted', 'updated', 'unchanged', ...Object.keys(faults)] },
          record: { type: 'object' },
          message: { type: 'string' },
          target: { type: ['string', 'null'] },
        },
      },
    },
    [resultWords.counts]: { type: 'object', additionalProperties: { type: 'integer' } },
  },
}

export const resultsSchema = {
  type: 'object',
  additionalProperties: false,
  required: [resultWords.results, resultWords.counts],
  properties: results,
}

export const refusal = {
  description: 'Refused: the code says why, the target where',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    'application/xml': { schema: { $ref: '#/components/schemas/Error' } },
  },
}
