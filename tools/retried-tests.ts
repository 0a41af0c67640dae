// Reporter: names each test that failed once and passed in its second try, because it hides a defect or depends on time.
import type { Reporter, TestCase } from 'vitest/node'

export default class RetriedTests implements Reporter {
  readonly #retried: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return
    const problems = (test.result().errors ?? []).map(({ message }) => `    ${message.split('\n')[0]}`)
    this.#retried.push([`  ${test.module.relativeModuleId} > ${test.fullName}`, ...problems].join('\n'))
  }

  onTestRunEnd(): void {
    if (this.#retried.length === 0) return
    console.log(`\nPassed in the second try only (${this.#retried.length}):\n${this.#retried.join('\n')}`)
  }
}
