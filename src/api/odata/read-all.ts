// `$all`: the records of every set in one response (OData 4.01 part 2, 4.15).
import { responseFormat } from './response.ts'
import { authorize, parametersOf, type Handler } from '../operation.ts'
import { planOptionsFor } from './read-resource.ts'
import { writeJsonBody } from './rows-body.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { allOptions, planAllSets } from '../../engine/planner/plan-read.ts'
import { envelopeStart, collectionEnd } from '../../engine/formats/write/envelope.ts'
import { jsonArraySerializer } from '../../engine/formats/write/row-serializer.ts'

/** Only of the sets that the caller may read. */
export function allHandler(schema: Schema): Handler {
  return async (request, api) => {
    const authorized = await authorize(request, api, { scope: null, parameters })
    const { caller, query } = authorized
    const { recordFormat, headers } = responseFormat(request, query)
    const options = { ...planOptionsFor(schema, request, caller), clock: api.clock, recordFormat }
    const plan = planAllSets(query, options)
    const count = plan.count ? await api.store.count(plan, request) : null
    const context = `${recordFormat.root}/$metadata#Collection(Edm.EntityType)`
    const array = {
      ...jsonArraySerializer,
      start: `${envelopeStart(recordFormat, context, count)}[`,
      end: collectionEnd(recordFormat, null),
    }
    return {
      status: 200,
      headers: { ...authorized.headers, ...headers },
      body: await writeJsonBody(await api.store.readJson(plan, request), array),
      logContext: authorized.logContext,
    }
  }
}

const parameters = parametersOf([...allOptions, '$format', '$schemaversion'])
