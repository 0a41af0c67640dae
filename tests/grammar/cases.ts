// The grammar cases of the standard, as they stand in tests/data/.
import { parse } from 'yaml'
import { textOf } from '../support/repository.ts'

export interface GrammarCase {
  /** The rule and the input: what a case is called here. */
  readonly title: string
  readonly rule: string
  readonly input: string
  /** Where the input breaks, counted from 0; null where it is to be accepted. */
  readonly failAt: number | null
}

export interface Grammar {
  readonly cases: readonly GrammarCase[]
  /** The names of the model that the cases speak of, by kind. */
  readonly names: Readonly<Record<string, readonly string[]>>
}

export function grammarOf(file: string): Grammar {
  const { Constraints: names, TestCases } = parse(textOf(`tests/data/${file}`)) as File
  const cases = TestCases.map(({ Rule, Input, FailAt }) => ({
    title: `${Rule} ${Input}`,
    rule: Rule,
    input: Input,
    failAt: FailAt ?? null,
  }))
  return { cases, names }
}

interface File {
  readonly Constraints: Grammar['names']
  readonly TestCases: readonly {
    readonly Rule: string
    readonly Input: string
    readonly FailAt?: number
  }[]
}
