// Canonical functions: the numbers of their arguments, by lower-case name.

export interface FunctionArity {
  readonly argsMin: number
  readonly argsMax: number
}

function arity(argsMin: number, argsMax = argsMin): FunctionArity {
  return { argsMin, argsMax }
}

/**
 * OData 4.01 part 2, 5.1.1.5 to 5.1.1.11, and Data Aggregation 4.0, 3.6. `engine/planner/` decides which of them are
 * supported.
 */
export const canonicalFunctions: ReadonlyMap<string, FunctionArity> = new Map([
  // strings and collections
  ['concat', arity(2)],
  ['contains', arity(2)],
  ['endswith', arity(2)],
  ['indexof', arity(2)],
  ['length', arity(1)],
  ['startswith', arity(2)],
  ['substring', arity(2, 3)],
  ['hassubset', arity(2)],
  ['hassubsequence', arity(2)],
  ['matchespattern', arity(2)],
  ['tolower', arity(1)],
  ['toupper', arity(1)],
  ['trim', arity(1)],
  // dates and times
  ['date', arity(1)],
  ['day', arity(1)],
  ['fractionalseconds', arity(1)],
  ['hour', arity(1)],
  ['maxdatetime', arity(0)],
  ['mindatetime', arity(0)],
  ['minute', arity(1)],
  ['month', arity(1)],
  ['now', arity(0)],
  ['second', arity(1)],
  ['time', arity(1)],
  ['totaloffsetminutes', arity(1)],
  ['totalseconds', arity(1)],
  ['year', arity(1)],
  // numbers
  ['ceiling', arity(1)],
  ['floor', arity(1)],
  ['round', arity(1)],
  // types, which are the last argument
  ['cast', arity(1, 2)],
  ['isof', arity(1, 2)],
  // presence and geography
  ['isdefined', arity(1)],
  ['geo.distance', arity(2)],
  ['geo.intersects', arity(2)],
  ['geo.length', arity(1)],
])

/** OData 2 and 3: `substringof(part, text)`, `contains` with its arguments swapped. */
export const substringof: readonly [string, FunctionArity] = ['substringof', arity(2)]
