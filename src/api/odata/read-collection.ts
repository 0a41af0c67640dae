// Reads of collections: entities, `$count`, `$ref`.
import { requireStart, type Answer, type Asked } from './read-request.ts'
import { answerChanges, followedFrom, linkToChanges, trackedHeaders } from './delta.ts'
import { answerPage, pageWish } from './page.ts'
import { bodyOf, isEmpty, jsonBody } from './rows-body.ts'
import { referencesContext } from '../../engine/formats/write/context-url.ts'
import { controlName } from '../../engine/planner/select/record-form.ts'
import { opening, setClosing, setOpening } from '../../engine/formats/write/envelope.ts'
import { recordAddress } from '../../engine/formats/write/record-address.ts'
import { jsonArray, type ArrayWriter } from '../../engine/formats/write/write-rows.ts'

/** `Set`, `Set(key)/Nav`. */
export async function answerSet(asked: Asked): Promise<Answer> {
  const changes = asked.admitted.query.get('$deltatoken')
  if (changes !== undefined) return answerChanges(asked, changes)
  const wish = await pageWish(asked)
  if (wish !== null) return answerPage(asked, wish)
  const { plan, counted, serving, request } = asked
  const since = await followedFrom(asked)
  const count = plan.count ? await serving.store.count(counted, request) : null
  const rows = await serving.store.readJson(plan, request)
  // Aggregation returns a row even for an empty collection.
  if (plan.apply !== null || isEmpty(rows)) await requireStart(asked)
  const start = `${setOpening(plan, count)}[`
  const link = since === null ? null : { deltaLink: linkToChanges(asked, since) }
  const array = { ...jsonArray, start, end: setClosing(plan.form, link) }
  return {
    status: 200,
    headers: since === null ? {} : trackedHeaders(plan),
    body: await jsonBody(rows, array),
  }
}

/** `Set/$ref`, `Set(key)/Nav/$ref`. */
export async function answerReferences(asked: Asked): Promise<Answer> {
  const { plan, counted, serving, request } = asked
  const count = plan.count ? await serving.store.count(counted, request) : null
  const rows = await serving.store.readRows(plan, 'values', request)
  if (isEmpty(rows)) await requireStart(asked)
  const array: ArrayWriter = {
    start: `${opening(plan.form, referencesContext(plan.form.root), count)}[`,
    rows: (batch, isFirst) =>
      jsonArray.rows(
        batch.map((key) => [referenceTo(key)]),
        isFirst,
      ),
    end: ']}',
  }
  const referenceTo = (key: Parameters<typeof recordAddress>[1]) =>
    `{"${controlName(plan.form, 'id')}":${JSON.stringify(recordAddress(plan.resource, key))}}`
  return { status: 200, headers: {}, body: await bodyOf(rows, array) }
}

/** `Set/$count`, `Set(key)/Nav/$count`. */
export async function answerCount(asked: Asked): Promise<Answer> {
  const count = await asked.serving.store.count(asked.counted, asked.request)
  if (count === 0) await requireStart(asked)
  return { status: 200, headers: {}, body: String(count) }
}
