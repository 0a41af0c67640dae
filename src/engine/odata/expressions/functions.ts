// Canonical functions: the numbers of their arguments, by lower-case name.

export interface FunctionArity {
  readonly argsMin: number
  readonly argsMax: number
}

/** The names are separated by blanks. */
function arity(names: string, argsMin: number, argsMax = argsMin): [string, FunctionArity][] {
  return names.split(' ').map((name) => [name, { argsMin, argsMax }])
}

/**
 * OData 4.01 part 2, 5.1.1.5 to 5.1.1.11, and Data Aggregation 4.0, 3.6. `engine/planner/` decides which of them are
 * supported.
 */
export const canonicalFunctions: ReadonlyMap<string, FunctionArity> = new Map([
  // strings and collections
  ...arity('length tolower toupper trim', 1),
  ...arity('concat contains endswith indexof startswith hassubset hassubsequence matchespattern', 2),
  ...arity('substring', 2, 3),
  // dates and times
  ...arity('maxdatetime mindatetime now', 0),
  ...arity('date day fractionalseconds hour minute month second time totaloffsetminutes totalseconds year', 1),
  // numbers
  ...arity('ceiling floor round', 1),
  // types, which are the last argument
  ...arity('cast isof', 1, 2),
  // presence and geography
  ...arity('isdefined geo.length', 1),
  ...arity('geo.distance geo.intersects', 2),
])

/** OData 2 and 3: `substringof(part, text)`, `contains` with its arguments swapped. */
export const substringof = arity('substringof', 2)
