// Grammar test suite: the ABNF test cases of the OData standard against our parsers.
import { describe, expect, test } from 'vitest'
import { grammarOf, type GrammarCase } from './cases.ts'
import { deviations, excludedInputs, unsupportedFeatures, featuresOfNoModel, excludedRules } from './left-out.ts'
import { runCase, type Outcome } from './read-case.ts'

interface CaseResult extends GrammarCase {
  readonly outcome: Outcome
}

function isIncluded({ rule, input, title }: GrammarCase): boolean {
  return !(rule in excludedRules) && !excludedInputs.some((one) => one.input.test(input)) && !(title in deviations)
}

function resultsOf(file: string): CaseResult[] {
  const { cases, names } = grammarOf(file)
  return cases.filter(isIncluded).map((one) => ({ ...one, outcome: runCase(one, names) }))
}

function shown(cases: readonly CaseResult[]): string {
  return cases.map(({ title, outcome }) => `${title} → ${JSON.stringify(outcome)}`).join('\n')
}

/** Minimum shares, which must not drop. `done`: share of the cases about features that this service's models can have. */
const thresholds = [
  { file: 'odata-abnf-testcases.yaml', accepted: 1, supported: 0.98, refused: 1 },
  { file: 'odata-aggregation-testcases.yaml', accepted: 0.99, supported: 0.86, refused: 1 },
]

describe.each(thresholds)('$file', ({ file, ...shares }) => {
  const answered = resultsOf(file)
  const good = answered.filter(({ failAt }) => failAt === null)
  const bad = answered.filter(({ failAt }) => failAt !== null)

  test('valid inputs are accepted, or 501 for a listed reason', () => {
    const refused = good.filter(({ outcome }) => outcome.kind === 'refused')
    expect(1 - refused.length / good.length, shown(refused)).toBeGreaterThanOrEqual(shares.accepted)
    const read = good.filter(({ outcome }) => outcome.kind === 'accepted')
    const unsupported = good.filter(({ outcome }) => outcome.kind === 'unsupported')
    const says = ({ outcome }: CaseResult) => (outcome.kind === 'unsupported' ? outcome.says : '')
    const reasonOf = (one: CaseResult): string | undefined =>
      featuresOfNoModel.find((row) => row.says.test(says(one)))?.what ??
      unsupportedFeatures.find((row) => row.says.test(says(one)))?.why
    expect(shown(unsupported.filter((one) => reasonOf(one) === undefined))).toBe('')
    const meaningless = unsupported.filter((one) => featuresOfNoModel.some((row) => row.says.test(says(one))))
    const relevant = good.length - meaningless.length
    expect(read.length / relevant).toBeGreaterThanOrEqual(shares.supported)
    print(
      `${file}: accepted ${good.length - refused.length} of ${good.length}; of the ${relevant} that concern this service ${read.length} without 501`,
    )
    for (const [reason, cases] of Map.groupBy(unsupported, reasonOf)) print(`  501, ${cases.length}: ${reason}`)
  })

  test('invalid inputs are refused', () => {
    const accepted = bad.filter(({ outcome }) => outcome.kind === 'accepted')
    const refused = 1 - accepted.length / bad.length
    expect(refused, shown(accepted)).toBeGreaterThanOrEqual(shares.refused)
    const placed = bad.filter(({ failAt, outcome }) => outcome.kind === 'refused' && outcome.at === failAt)
    const of = `of ${bad.length}`
    print(`${file}: refused ${bad.length - accepted.length} ${of}, at FailAt ${placed.length} ${of}`)
  })
})

test('at most ten cases deviate from the grammar, and each of them exists', () => {
  const { cases } = grammarOf('odata-abnf-testcases.yaml')
  const titles = new Set(cases.map(({ title }) => title))
  const named = Object.keys(deviations)
  expect(named.length).toBeLessThanOrEqual(10)
  expect(named.filter((title) => !titles.has(title))).toEqual([])
})

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
