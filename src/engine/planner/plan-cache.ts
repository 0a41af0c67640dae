// Plan cache: reuses the plans of earlier reads that differ in literals, page and company only.
import { LeastRecentlyUsed } from '../../lib/least-recently-used.ts'
import { memoize } from '../../lib/memoize.ts'
import { scanLiterals, type ScannedLiteral } from '../odata/lexer/literal-scan.ts'
import type { Query } from '../odata/options/query.ts'
import type { PlanContext } from './plan-read.ts'
import { createShape, planFromShape, type PlanShape } from './plan-shape.ts'
import type { ReadPlan } from './read-plan.ts'

export class PlanCache {
  /** False: requests of this shape are planned each time, because their plan depends on a literal or on the clock. */
  readonly #shapes = new LeastRecentlyUsed<string, PlanShape | false>(shapesMin)

  /**
   * The plan that `build` makes, from the cache where an earlier request had the same shape. `build` may depend on the
   * query, the context and `path` only, and must leave errors to the planner: they are thrown as without a cache.
   */
  get<Plan extends ReadPlan | null>(
    path: string,
    query: Query,
    context: PlanContext,
    build: (context: PlanContext) => Plan,
  ): Plan | ReadPlan {
    const request = scanRequest(path, query, context)
    if (request === null) return build(context)
    const shape = this.#shapes.get(request.key)
    if (shape === false) return build(context)
    const reused = shape === undefined ? null : planFromShape(shape, request.literals, query, context)
    if (reused !== null) return reused
    let readsClock = false
    const clock = () => {
      readsClock = true
      return context.clock()
    }
    const plan = build({ ...context, clock })
    if (plan === null || shape !== undefined) return plan
    const found = readsClock ? null : createShape(plan, request.literals)
    this.#shapes.set(request.key, found ?? false)
    return plan
  }
}

const shapesMin = 500
/** Longer requests are rare, and would fill the memory. */
const keyLengthMax = 2000
/** Of an option, which may be longer than the key: that has a mark in place of each literal. To find many takes long. */
const scannedLengthMax = 16 * 1024

interface ScannedRequest {
  /**
   * Everything that the plan depends on, but the company, the literals of `$filter`, and the numbers in `$top` and `$skip`;
   * of `$skip` it has whether it is 0.
   */
  readonly key: string
  readonly literals: readonly ScannedLiteral[]
}

/** Null for a request whose plan is not cached. */
function scanRequest(path: string, query: Query, context: PlanContext): ScannedRequest | null {
  const { zone, naming, dates, grantedScopes, recordFormat } = context
  let key = `${path}${separator}${zone}${separator}${naming}${separator}${dates}${separator}${numberOf(grantedScopes)}`
  if (recordFormat !== undefined)
    key += `${separator}${recordFormat.version}${separator}${recordFormat.metadata}${separator}${recordFormat.decimals}${separator}${recordFormat.nulls}${separator}${recordFormat.etags}${separator}${recordFormat.root}`
  let literals: readonly ScannedLiteral[] = noLiterals
  for (const [name, value] of query) {
    // Without the credentials: a plan depends on their scopes alone.
    if (!name.startsWith('$')) {
      if (name.startsWith('@')) return null
      continue
    }
    if (value.includes(separator) || name === '$skiptoken' || name === '$deltatoken') return null
    key += `${separator}${name}`
    if (name === '$skip' && Number(value) > 0) key += '>0'
    if (name === '$top' || name === '$skip') continue
    if (value.length > scannedLengthMax) return null
    const scan = name === '$filter' ? scanLiterals(value) : { literals, shape: value }
    if (scan === null) return null
    literals = scan.literals
    key += `=${scan.shape}`
  }
  return key.length > keyLengthMax ? null : { key, literals }
}

/** Between the parts of a key; a request with one in an option is planned each time. */
const separator = '\n'
const noLiterals: readonly ScannedLiteral[] = []

/** A number of its own for each set of scopes: with their names, most of a key would be those. */
const numberOf = memoize((grantedScopes: ReadonlySet<string>) => {
  const names = [...grantedScopes].toSorted().join(' ')
  const number = numberByNames.get(names) ?? numberByNames.size
  numberByNames.set(names, number)
  return number
})

const numberByNames = new Map<string, number>()
