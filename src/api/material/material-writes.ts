// Material endpoints (interface 4.4): register a batch or one transaction, update, delete.
import { admit, writeParametersOf, type Operation, type Serving } from '../operation.ts'
import { answeringWrite, serviceAddress } from '../odata/response.ts'
import { perform, type Answered, type Performing } from '../write-pipeline/idempotent-write.ts'
import { requireWanted } from '../write-pipeline/preconditions.ts'
import type { Scope } from '../../auth/scopes.ts'
import { detailsMax, Fault, sentence, type Detail, type Result } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { changeMaterial, materialOf, removeMaterial } from '../../material/change.ts'
import { recordOf } from '../../material/content.ts'
import { deedOf } from '../../material/action-context.ts'
import { registerBatch, type RegisterOutcome } from '../../material/register-batch.ts'
import { etagOf } from '../../engine/model/etag.ts'
import { materialTransaction, materialWords } from '../../model/transaction.ts'
import { flag, type Query } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import type { StoredMaterial } from '../../store/material/materials.ts'
import { formatFor, languageOf } from '../../engine/formats/negotiation/negotiate.ts'
import { inContext, withEtag } from '../../engine/formats/write/envelope.ts'
import { readRecords } from '../../engine/formats/read/read-records.ts'
import { writeOutcomes } from '../../engine/formats/write/write-outcomes.ts'
import { writeRecords } from '../../engine/formats/write/write-records.ts'

const scope = 'material:write'
const resource = materialTransaction
const described = { resource, rule: '4.4' } as const

export const registersBatch: Operation = {
  ...described,
  summary: 'Register transactions from another system',
  scope,
  input: resource,
  parameters: writeParametersOf(['dryRun', 'atomic']),
  body: 'many',
  answer: 'results',
  handle: async (request, serving) => {
    const { parameters } = registersBatch
    const { asked, query } = await begun(request, serving, { scope, parameters })
    const isAtomic = flag(query, 'atomic', true)
    return perform({ ...asked, options: [String(isAtomic)] }, serving, async () => {
      const body = await readRecords(asked.body, {
        ...readingOf(asked),
        shape: 'many',
        listIn: materialWords.transactions,
      })
      const good = body.rows.filter(({ details }) => details.length === 0)
      return async (transaction) => {
        const deed = deedOf(asked.caller, request.id, asked.now)
        const outcomes = await registerBatch(transaction, good, deed)
        const fates = fatesOf(
          body.rows.map(({ details }) => details),
          outcomes,
        )
        refuse(fates, isAtomic, request)
        const results = fates.map((fate, index) => told(fate, index, asked))
        const format = formatFor(request.header('accept'))
        const headers = { 'Content-Type': `application/${format}; charset=utf-8` }
        return { status: 200, headers, body: writeOutcomes(results, format) }
      }
    })
  },
}

export const registersMaterial: Operation = {
  ...described,
  summary: 'Register one transaction',
  scope,
  input: resource,
  parameters: writeParametersOf(['dryRun']),
  body: 'one',
  answer: 'created',
  handle: async (request, serving) => {
    const { parameters } = registersMaterial
    const { asked } = await begun(request, serving, { scope, parameters })
    answeringWrite(request)
    return perform(asked, serving, async () => {
      const row = await soleRow(asked)
      return async (transaction) => {
        const deed = deedOf(asked.caller, request.id, asked.now)
        const [outcome] = await registerBatch(transaction, [row], deed)
        if (outcome === undefined) throw new Error('a row without an outcome')
        if ('refused' in outcome) throw faultOf(outcome.refused)
        const { code, material } = outcome
        const answered = await entityOf(request, material, asked.isDryRun && code === 'registered')
        if (code !== 'registered') return answered
        const location = `${serviceAddress(request)}/${resource.wire}(${material.id})`
        const headers = { ...answered.headers, ...(asked.isDryRun ? {} : { Location: location }) }
        return { ...answered, status: 201, headers }
      }
    })
  },
}

export const changesMaterial: Operation = {
  ...described,
  summary: 'Change a transaction that is not approved',
  scope,
  input: resource,
  parameters: writeParametersOf(['dryRun']),
  body: 'one',
  answer: 'one',
  handle: async (request, serving) => {
    const { parameters } = changesMaterial
    const { asked } = await begun(request, serving, { scope, parameters })
    answeringWrite(request)
    const id = idIn(request.path)
    return perform(asked, serving, async () => {
      const { values } = await soleRow(asked)
      if (Object.keys(values).length === 0) throw new Fault('NothingToChange')
      return async (transaction) => {
        requireWanted(request, resource, recordOf(await materialOf(transaction, id)))
        const deed = deedOf(asked.caller, request.id, asked.now)
        return entityOf(request, await changeMaterial(transaction, id, values, deed))
      }
    })
  },
}

export const deletesMaterial: Operation = {
  ...described,
  summary: 'Delete a transaction that is not approved',
  scope,
  input: null,
  parameters: writeParametersOf(['dryRun']),
  body: 'none',
  answer: 'nothing',
  handle: async (request, serving) => {
    const { parameters } = deletesMaterial
    const { asked } = await begun(request, serving, { scope, parameters })
    const id = idIn(request.path)
    return perform(asked, serving, async () => async (transaction) => {
      requireWanted(request, resource, recordOf(await materialOf(transaction, id)))
      await removeMaterial(transaction, id, deedOf(asked.caller, request.id, asked.now))
      return { status: 204, headers: {}, body: null }
    })
  },
}

/** Authorizes a write and reads its parameters; the caller parses the body. */
export async function begun(
  request: Request,
  serving: Serving,
  admitting: { readonly scope: Scope; readonly parameters: Operation['parameters'] },
): Promise<{ asked: Performing; query: Query }> {
  const { caller, query, headers } = await admit(request, serving, admitting)
  const isDryRun = query.has('dryRun') && flag(query, 'dryRun', false)
  const body = await request.body()
  const now = serving.clock()
  return { asked: { request, caller, body, options: [], isDryRun, now, headers }, query }
}

/** The id in `Transaksjon(17)…` or `Batch/7/…`. Throws `NotFound`. */
export function idIn(path: string): number {
  const digits = /[(/](\d{1,15})(?=[)/])/.exec(path)?.[1]
  if (digits === undefined) throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  return Number(digits)
}

/** A reply with one transaction as an OData entity. */
export async function entityOf(
  request: Request,
  material: StoredMaterial,
  isUnnumbered = false,
): Promise<Answered> {
  const record = { ...recordOf(material), ...(isUnnumbered ? { id: null } : {}) }
  const written = { resource, format: 'json', dates: 'date', isList: false } as const
  const text = await writeRecords([record], written)
  const { form, headers } = answeringWrite(request)
  const context = `${form.root}/$metadata#${resource.wire}/$entity`
  const etag = etagOf(resource, record) ?? ''
  const body = inContext(form, context, withEtag(form, String(text), etag))
  return { status: 200, headers: { ...headers, ETag: etag }, body }
}

/** Bodies of v3 are strict: unknown and read-only fields are errors. */
function readingOf({ request, caller: { company } }: Performing) {
  return {
    contentType: request.header('content-type'),
    resource,
    zone: company.zone,
    refuseZones: company.settings.refusesZones,
    isStrict: true,
    isExact: true,
  }
}

async function soleRow(asked: Performing) {
  const { rows } = await readRecords(asked.body, {
    ...readingOf(asked),
    takes: ['json'],
    shape: 'one',
  })
  const [row] = rows
  if (row === undefined) throw new Error('a body of one row without it')
  if (row.details.length > 0) throw faultOf(row.details)
  return row
}

/** The outcomes of all rows in the order of the body, invalid rows included. */
function fatesOf(
  complaints: readonly (readonly Detail[])[],
  outcomes: readonly RegisterOutcome[],
): RegisterOutcome[] {
  const done = outcomes.values()
  return complaints.map((details) => {
    if (details.length > 0) return { refused: details }
    const { value } = done.next()
    if (value === undefined) throw new Error('a row without an outcome')
    return value
  })
}

function refuse(fates: readonly RegisterOutcome[], isAtomic: boolean, request: Request): void {
  const bad = fates.flatMap((fate, index) => ('refused' in fate ? { index, ...fate } : []))
  if (bad.length === 0 || (!isAtomic && bad.length < fates.length)) return
  const details = bad.flatMap(({ refused }) => refused)
  const language = languageOf(request.header('accept-language'))
  throw new Fault(isAtomic ? 'InvalidRows' : 'NothingApplied', {
    details: details.slice(0, detailsMax),
    problems: details.length,
    says: { count: bad.length },
    results: bad.map(({ index, refused }) => toldRefusal(refused, index, language)),
  })
}

function told(fate: RegisterOutcome, index: number, { request, isDryRun }: Performing): Result {
  if ('refused' in fate)
    return toldRefusal(fate.refused, index, languageOf(request.header('accept-language')))
  const { code, material } = fate
  return { index, id: isDryRun && code === 'registered' ? null : material.id, code }
}

function toldRefusal(
  [detail]: readonly Detail[],
  index: number,
  language: Parameters<typeof sentence>[2],
): Result {
  if (detail === undefined) throw new Error('an error without a detail')
  const { code, says, target, existing } = detail
  return {
    index,
    code,
    message: sentence(code, says, language),
    target,
    ...(existing === undefined ? {} : { existing }),
  }
}

function faultOf(details: readonly Detail[]): Fault {
  const [first] = details
  if (first === undefined) throw new Error('an error without a detail')
  return new Fault(first.code, {
    ...(first.target === null ? {} : { target: first.target }),
    ...(first.existing === undefined ? {} : { existing: first.existing }),
    says: first.says,
    ...(details.length === 1 ? {} : { details }),
  })
}
