// An authorized and planned OData read, and the errors that all reads share.
import type { AuthorizedCall } from '../operation.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'
import type { Reply } from '../../http/request.ts'
import { message } from '../../errors/messages.ts'
import { truncateName } from '../../engine/odata/options/option.ts'
import type { PathTarget, ResolvedPath } from '../../engine/planner/path/resolved-path.ts'
import { planParent } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'

/** A read by an authorized caller, with its resolved path and its plan. */
export interface ReadRequest extends AuthorizedCall {
  readonly resolved: ResolvedPath
  readonly plan: ReadPlan
  /** The plan that `$count` counts, which may differ from `plan`. */
  readonly countPlan: ReadPlan
}

export type ReadReply = Pick<Reply, 'status' | 'headers' | 'body'>

/** Names the record by its set and its key, as in a URL: `Avdeling('77')`. */
export function recordNotFoundError({ resource, key }: PathTarget): ApiError {
  const values = key.map(({ name, value: { type, value } }) => {
    const literal = type === 'text' ? `'${value}'` : value
    return name === null ? literal : `${name}=${literal}`
  })
  const what = values.length === 0 ? resource.wire : `${resource.wire}(${values.join(',')})`
  return notFoundError(truncateName(what))
}

/** For a `$skiptoken` or `$deltatoken` that this service did not issue for this query. */
export function invalidTokenError(name: string): ApiError {
  return new ApiError('InvalidQueryOption', { target: name, params: { name, problem: message('invalidNextLink') } })
}

/** Throws `NotFound` when the record that the path starts from does not exist; an empty relation is no error. */
export async function requireStartEntity({ plan, resolved, request, api: { store } }: ReadRequest): Promise<void> {
  const start = planParent(plan)
  if (start !== null && (await store.count(start, request)) === 0)
    throw recordNotFoundError(resolved.via?.from ?? resolved)
}
