// Benchmark requests that write revenue: upserts of existing cells, one at a time and as lists.
import {
  bodyRequest,
  capRoot,
  revenuePath,
  type CheckedRequest,
  type RequestBuilders,
  type RequestParameters,
} from './requests.ts'
import { amountOf, dateOf, departmentOf, departments, listLength, rowsOfCompany } from './rows.ts'

export const singleUpsert: RequestBuilders = {
  dagsverk: (parameters) => setPerDateRequest(parameters, 1),
  cap: capPutRequest,
}

export function listUpserts(rows: number): RequestBuilders {
  return {
    dagsverk: (parameters) => setPerDateRequest(parameters, rows),
    cap: (parameters) => capListRequest(parameters, rows),
  }
}

interface CellAmount {
  readonly date: string
  readonly departmentId: string
  readonly amount: string
}

export function setPerDateRequest(parameters: RequestParameters, rows: number): CheckedRequest {
  const cells = existingCells(parameters, rows)
  const path = revenuePath(parameters.company, 'LagreEllerOppdaterOmsetningPrDato')
  return {
    request: bodyRequest('POST', path, `[${cells.map(cellJson).join(',')}]`),
    contains: Buffer.from(`"Omsetning":${cells[0]?.amount}`),
    braces: cells.length,
  }
}

export function cellJson({ date, departmentId, amount }: CellAmount): string {
  return `{"Dato":"${date}T00:00:00","AvdelingID":"${departmentId}","Omsetning":${amount}}`
}

function capPutRequest(parameters: RequestParameters): CheckedRequest {
  const [cell] = existingCells(parameters, 1)
  const { company } = parameters
  const key = `Firma=${company},Dato=${cell?.date},AvdelingID='${cell?.departmentId}',ipType='I'`
  const path = `${capRoot}/Omsetning(${key})`
  return {
    request: bodyRequest('PUT', path, `{"Omsetning":${cell?.amount}}`),
    contains: Buffer.from(`"Omsetning":"${cell?.amount}00"`),
    braces: 1,
  }
}

function capListRequest(parameters: RequestParameters, rows: number): CheckedRequest {
  const cells = existingCells(parameters, rows)
  const body = cells.map(
    ({ date, departmentId, amount }) =>
      `{"Firma":${parameters.company},"Dato":"${date}","AvdelingID":"${departmentId}","ipType":"I","Omsetning":${amount}}`,
  )
  return {
    request: bodyRequest('POST', `${capRoot}/LagreListe`, `{"rader":[${body.join(',')}]}`),
    contains: Buffer.from(`"value":${cells.length}}`),
    braces: 1,
  }
}

/** Consecutive cells that the database already has, each with a new amount. */
export function existingCells({ size, random }: RequestParameters, rows: number): CellAmount[] {
  const total = rowsOfCompany(size)
  const count = listLength(size, rows)
  const start = random(total)
  return Array.from({ length: count }, (_, index) => {
    const rowNumber = (start + index) % total
    return {
      date: dateOf(Math.floor(rowNumber / departments)),
      departmentId: departmentOf(rowNumber % departments),
      amount: amountOf(random(0x7fffffff)),
    }
  })
}
