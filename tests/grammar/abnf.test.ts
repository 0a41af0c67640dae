// The standard's own grammar cases: what it accepts is read, what it refuses is refused.
import { describe, expect, test } from 'vitest'
import { grammarOf, type GrammarCase } from './cases.ts'
import { answeredOtherwise, inputsLeftOut, rulesLeftOut } from './left-out.ts'
import { outcomeOf, type Outcome } from './read-case.ts'

interface Answered extends GrammarCase {
  readonly outcome: Outcome
}

const isAsked = ({ rule, input, title }: GrammarCase): boolean =>
  !(rule in rulesLeftOut) &&
  !inputsLeftOut.some((one) => one.input.test(input)) &&
  !(title in answeredOtherwise)

const answersOf = (file: string): Answered[] => {
  const { cases, names } = grammarOf(file)
  return cases.filter(isAsked).map((one) => ({ ...one, outcome: outcomeOf(one, names) }))
}

const shown = (cases: readonly Answered[]): string =>
  cases.map(({ title, outcome }) => `${title} → ${JSON.stringify(outcome)}`).join('\n')

/** What was reached; it is not to fall. `read`: without what is 501. */
const reached = [
  { file: 'odata-abnf-testcases.yaml', accepted: 1, read: 0.69, refused: 1 },
  { file: 'odata-aggregation-testcases.yaml', accepted: 0.99, read: 0.47, refused: 1 },
]

describe.each(reached)('$file', ({ file, ...shares }) => {
  const answered = answersOf(file)
  const good = answered.filter(({ failAt }) => failAt === null)
  const bad = answered.filter(({ failAt }) => failAt !== null)

  test('what the standard accepts is read, or 501 where this service has no use for it', () => {
    const refused = good.filter(({ outcome }) => outcome.kind === 'refused')
    const accepted = 1 - refused.length / good.length
    expect(accepted, shown(refused)).toBeGreaterThanOrEqual(shares.accepted)
    const read = good.filter(({ outcome }) => outcome.kind === 'accepted')
    expect(read.length / good.length).toBeGreaterThanOrEqual(shares.read)
    const of = `of ${good.length}`
    print(
      `${file}: accepted ${good.length - refused.length} ${of}, without 501 ${read.length} ${of}`,
    )
  })

  test('what the standard refuses is refused', () => {
    const accepted = bad.filter(({ outcome }) => outcome.kind === 'accepted')
    const refused = 1 - accepted.length / bad.length
    expect(refused, shown(accepted)).toBeGreaterThanOrEqual(shares.refused)
    const placed = bad.filter(
      ({ failAt, outcome }) => outcome.kind === 'refused' && outcome.at === failAt,
    )
    const of = `of ${bad.length}`
    print(
      `${file}: refused ${bad.length - accepted.length} ${of}, at FailAt ${placed.length} ${of}`,
    )
  })
})

test('at most ten cases are answered otherwise than the grammar says, and each of them exists', () => {
  const { cases } = grammarOf('odata-abnf-testcases.yaml')
  const titles = new Set(cases.map(({ title }) => title))
  const named = Object.keys(answeredOtherwise)
  expect(named.length).toBeLessThanOrEqual(10)
  expect(named.filter((title) => !titles.has(title))).toEqual([])
})

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
