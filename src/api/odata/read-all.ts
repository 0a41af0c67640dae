// `$all`: the records of every set in one response (OData 4.01 part 2, 4.15).
import { answering } from './response.ts'
import { admit, parametersOf, type Handler } from '../operation.ts'
import { readingOf } from './read-resource.ts'
import { jsonBody } from './rows-body.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { allOptions, planAll } from '../../engine/planner/plan-read.ts'
import { opening, setClosing } from '../../engine/formats/write/envelope.ts'
import { jsonArray } from '../../engine/formats/write/write-rows.ts'

/** Only of the sets that the caller may read. */
export function readsAll(schema: Schema): Handler {
  return async (request, serving) => {
    const admitted = await admit(request, serving, { scope: null, parameters })
    const { caller, query } = admitted
    const { form, headers } = answering(request, query)
    const reading = { ...readingOf(schema, request, caller), clock: serving.clock, form }
    const plan = planAll(query, reading)
    const count = plan.count ? await serving.store.count(plan, request) : null
    const context = `${form.root}/$metadata#Collection(Edm.EntityType)`
    const array = {
      ...jsonArray,
      start: `${opening(form, context, count)}[`,
      end: setClosing(form, null),
    }
    const { companyId, credentialId } = caller
    return {
      status: 200,
      headers: { ...admitted.headers, ...headers },
      body: await jsonBody(await serving.store.readJson(plan, request), array),
      about: { companyId, credentialId },
    }
  }
}

const parameters = parametersOf([...allOptions, '$format', '$schemaversion'])
