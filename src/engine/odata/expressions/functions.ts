// Canonical functions: the numbers of their arguments, by lower-case name.

export interface FunctionRow {
  readonly argsMin: number
  readonly argsMax: number
}

function takes(argsMin: number, argsMax = argsMin): FunctionRow {
  return { argsMin, argsMax }
}

/**
 * OData 4.01 part 2, 5.1.1.5 to 5.1.1.11, and Data Aggregation 4.0, 3.6. `engine/planner/` decides which of them are
 * supported.
 */
export const canonicalFunctions: ReadonlyMap<string, FunctionRow> = new Map([
  // strings and collections
  ['concat', takes(2)],
  ['contains', takes(2)],
  ['endswith', takes(2)],
  ['indexof', takes(2)],
  ['length', takes(1)],
  ['startswith', takes(2)],
  ['substring', takes(2, 3)],
  ['hassubset', takes(2)],
  ['hassubsequence', takes(2)],
  ['matchespattern', takes(2)],
  ['tolower', takes(1)],
  ['toupper', takes(1)],
  ['trim', takes(1)],
  // dates and times
  ['date', takes(1)],
  ['day', takes(1)],
  ['fractionalseconds', takes(1)],
  ['hour', takes(1)],
  ['maxdatetime', takes(0)],
  ['mindatetime', takes(0)],
  ['minute', takes(1)],
  ['month', takes(1)],
  ['now', takes(0)],
  ['second', takes(1)],
  ['time', takes(1)],
  ['totaloffsetminutes', takes(1)],
  ['totalseconds', takes(1)],
  ['year', takes(1)],
  // numbers
  ['ceiling', takes(1)],
  ['floor', takes(1)],
  ['round', takes(1)],
  // types, which are the last argument
  ['cast', takes(1, 2)],
  ['isof', takes(1, 2)],
  // presence and geography
  ['isdefined', takes(1)],
  ['geo.distance', takes(2)],
  ['geo.intersects', takes(2)],
  ['geo.length', takes(1)],
])

/** OData 2 and 3: `substringof(part, text)`, `contains` with its arguments swapped. */
export const substringof: readonly [string, FunctionRow] = ['substringof', takes(2)]
