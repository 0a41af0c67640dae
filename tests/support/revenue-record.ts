// Revenue record in replies: its fields without `$select`, and whole records from some of their values.
import { revenue } from '../../src/model/revenue.ts'
import { backtickedTerms, tableUnder } from './repository.ts'

const returned = Object.values(revenue.fields).filter((field) => !('onlyWhenSelected' in field))

/** The fields of interface 2.1, in their order. */
export const revenueNames: readonly string[] = returned.map(({ wire }) => wire)

/** The same according to docs/interface.md, independent of the description. */
export function specifiedRevenueNames(): string[] {
  return tableUnder('docs/interface.md', '2.1 Revenue record')
    .flatMap(([field = '']) => backtickedTerms(field))
    .filter((name) => name !== 'InntekstplanId')
}

type RecordValues = Readonly<Record<string, string | number | null>>

/** A record as replies show it: null where `values` has no value. */
export function revenueRecord(values: RecordValues): RecordValues {
  return { ...Object.fromEntries(revenueNames.map((name) => [name, null])), ...values }
}
