// Loader of the standard's ABNF test cases in tests/data/.
import { parse } from 'yaml'
import { textOf } from '../support/repository.ts'

export interface GrammarCase {
  /** The rule and the input, which identify the case. */
  readonly title: string
  readonly rule: string
  readonly input: string
  /** The position of the syntax error, from 0; null for a valid input. */
  readonly failAt: number | null
}

export interface Grammar {
  readonly cases: readonly GrammarCase[]
  /** The names of the model in the cases, by kind. */
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
  readonly TestCases: readonly { readonly Rule: string; readonly Input: string; readonly FailAt?: number }[]
}
