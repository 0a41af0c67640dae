// The name somebody probably meant, for "Did you mean …?".

/**
 * The candidate that is fewest letters away from `name`, letter case aside, in the candidate's own spelling.
 * Nothing when more than a third of the shorter one would have to change: a wild guess helps nobody.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  let bestLetters = Infinity
  for (const candidate of candidates) {
    const shorter = Math.min(wanted.length, candidate.length)
    const longer = Math.max(wanted.length, candidate.length)
    // A name of one letter would otherwise mean any other.
    const lettersMax = Math.min(Math.ceil(shorter / 3), longer - 1, bestLetters - 1)
    const letters = lettersBetween(wanted, candidate.toLowerCase(), lettersMax)
    if (letters > lettersMax) continue
    best = candidate
    bestLetters = letters
  }
  return best
}

/**
 * The candidate that `name` is a misspelling of, letter case aside, in the candidate's own spelling: at most two letters
 * away, and those at most half of the longer name; or one begins with the other, which has at least four letters. Of several
 * the closest; undefined where there is none.
 */
export function misspelled(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  let bestLetters = Infinity
  for (const candidate of candidates) {
    const letters = lettersOff(wanted, candidate.toLowerCase())
    if (letters >= bestLetters) continue
    best = candidate
    bestLetters = letters
  }
  return best
}

function lettersOff(one: string, other: string): number {
  const longer = Math.max(one.length, other.length)
  const shorter = Math.min(one.length, other.length)
  const letters = lettersBetween(one, other, 2)
  if (letters <= 2 && letters * 2 <= longer) return letters
  const isBeginning = shorter >= 4 && (one.startsWith(other) || other.startsWith(one))
  return isBeginning ? longer - shorter : Infinity
}

/**
 * Letters to insert, drop, replace, or swap with their neighbour, to make one name the other (optimal string
 * alignment). Anything above `lettersMax` comes out as `lettersMax + 1`, without the work of counting it.
 */
export function lettersBetween(one: string, other: string, lettersMax: number): number {
  if (Math.abs(one.length - other.length) > lettersMax) return lettersMax + 1
  let twoAgo: number[] = []
  let before = Array.from({ length: other.length + 1 }, (_, column) => column)
  let fewestBefore = 0
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    let fewest = row
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let letters = Math.min(
        cell(before, column) + 1,
        cell(now, column - 1) + 1,
        cell(before, column - 1) + (isSame ? 0 : 1),
      )
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isSwapped)
        letters = Math.min(letters, cell(twoAgo, column - 2) + 1)
      fewest = Math.min(fewest, letters)
      now.push(letters)
    }
    // A swap reaches two rows back, so both must be beyond the limit before nothing can come of them.
    if (fewest > lettersMax && fewestBefore > lettersMax) return lettersMax + 1
    twoAgo = before
    before = now
    fewestBefore = fewest
  }
  return Math.min(cell(before, other.length), lettersMax + 1)
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
