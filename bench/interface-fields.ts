// Parts of the interface's requests: records of bodies and conditions of filters, with randomly chosen values.
import type { RequestParameters } from './requests.ts'
import { cellJson, existingCells } from './revenue-writes.ts'
import { amountOf, dateOf, daysOf, departmentOf, departments } from './rows.ts'

export function existingJson(parameters: RequestParameters, rows: number): string[] {
  return existingCells(parameters, rows).map(cellJson)
}

export function newRecord({ size, random }: RequestParameters): string {
  const date = dateOf(daysOf(size) + random(1000))
  return cellJson({ date, departmentId: departmentOf(random(departments)), amount: amountOf(random(0x7fffffff)) })
}

export function changedRecord(parameters: RequestParameters): string {
  const amount = amountOf(parameters.random(0x7fffffff))
  return `{"InntekstplanId":${changedKey(parameters)},"Omsetning":${amount}}`
}

export function mixedList(parameters: RequestParameters): string {
  return `[${changedRecord(parameters)},${newRecord(parameters)}]`
}

export function changedKey({ prepared, random }: RequestParameters): number {
  const [latest] = prepared as [readonly { InntektsPlanId: number }[]]
  return latest[random(latest.length)]?.InntektsPlanId ?? Number.NaN
}

export function cellFilter(parameters: RequestParameters): string {
  return `${dayFilter(parameters)} and ipType eq 'I' and ${departmentFilter(parameters)}`
}

export function dayFilter(parameters: RequestParameters): string {
  return `Dato eq ${day(parameters)}`
}

export function daysFilter({ size, random }: RequestParameters): string {
  const first = random(daysOf(size))
  return `Dato ge ${dayLiteral(first)} and Dato lt ${dayLiteral(first + 4)}`
}

export function departmentFilter({ random }: RequestParameters): string {
  return `AvdelingID eq '${departmentOf(random(departments))}'`
}

export function day({ size, random }: RequestParameters): string {
  return dayLiteral(random(daysOf(size)))
}

function dayLiteral(number: number): string {
  return `datetime('${dateOf(number)}')`
}
