// Describes the verification of a log as a row for people.
import { ok, wrong } from '../../lib/verdict.ts'
import type { LogProblem, LogVerification } from '../../store/audit/verify-logs.ts'

export function describeVerification({ log, entries, problem }: LogVerification) {
  return {
    log: logNames[log],
    entries,
    ...(problem === null ? ok('unchanged') : wrong(problemTexts[problem.kind](problem.id))),
  }
}

const logNames: Readonly<Record<LogVerification['log'], string>> = {
  audit: 'audit log',
  ledgerEntry: 'ledger',
  revenueLog: 'revenue log',
}

const problemTexts: Readonly<Record<LogProblem['kind'], (id: number) => string>> = {
  missing: (id) => `entry ${id} is missing`,
  changed: (id) => `entry ${id} was changed or replaced`,
  unlinked: (id) => `entry ${id} is not linked to the next one, nor to a record`,
  added: (id) => `entry ${id} was not added by the server`,
  amount: (id) => `the amount of record ${id} is not that of its last entry`,
}
