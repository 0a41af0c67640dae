// Suggestions for misspelled names ("Did you mean …?") by edit distance.

/**
 * The candidate with the smallest edit distance from `name`, case-insensitive, in the candidate's spelling.
 * Undefined if more than a third of the shorter one differs.
 */
export function closestMatch(name: string, candidates: Iterable<string>): string | undefined {
  return closest(name, candidates, (one, other, distanceBelow) => {
    const shorter = Math.min(one.length, other.length)
    const longer = Math.max(one.length, other.length)
    // Otherwise a name of one letter would match any other.
    const distanceMax = Math.min(Math.ceil(shorter / 3), longer - 1, distanceBelow - 1)
    const distance = editDistance(one, other, distanceMax)
    return distance > distanceMax ? Infinity : distance
  })
}

/**
 * The candidate that `name` is a misspelling of, case-insensitive, in the candidate's spelling: an edit distance of at
 * most two and half of the longer name; or one is a prefix of the other with at least four letters. The closest of
 * several; undefined if there is none.
 */
export function findIntendedName(name: string, candidates: Iterable<string>): string | undefined {
  return closest(name, candidates, misspellingDistance)
}

/** The first candidate with the smallest distance, which counts only below that of the best one before. */
function closest(
  name: string,
  candidates: Iterable<string>,
  distanceOf: (one: string, other: string, distanceBelow: number) => number,
): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const distance = distanceOf(wanted, candidate.toLowerCase(), bestDistance)
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

function misspellingDistance(one: string, other: string): number {
  const longer = Math.max(one.length, other.length)
  const shorter = Math.min(one.length, other.length)
  const distance = editDistance(one, other, 2)
  if (distance <= 2 && distance * 2 <= longer) return distance
  const isBeginning = shorter >= 4 && (one.startsWith(other) || other.startsWith(one))
  return isBeginning ? longer - shorter : Infinity
}

/**
 * The number of letters to insert, delete, replace, or transpose (optimal string alignment distance). Returns
 * `distanceMax + 1` for anything above `distanceMax`, without computing it.
 */
export function editDistance(one: string, other: string, distanceMax: number): number {
  if (Math.abs(one.length - other.length) > distanceMax) return distanceMax + 1
  let twoAgo: number[] = []
  let before = Array.from({ length: other.length + 1 }, (_, column) => column)
  let fewestBefore = 0
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    let fewest = row
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let distance = Math.min(
        cell(before, column) + 1,
        cell(now, column - 1) + 1,
        cell(before, column - 1) + (isSame ? 0 : 1),
      )
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isSwapped) distance = Math.min(distance, cell(twoAgo, column - 2) + 1)
      fewest = Math.min(fewest, distance)
      now.push(distance)
    }
    // A transposition reaches two rows back, so both rows must exceed the limit.
    if (fewest > distanceMax && fewestBefore > distanceMax) return distanceMax + 1
    twoAgo = before
    before = now
    fewestBefore = fewest
  }
  return Math.min(cell(before, other.length), distanceMax + 1)
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
