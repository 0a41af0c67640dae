// The records of the benchmark: derived from their row numbers, so that every server has the same.

/** The contents of a database. Every company has the same number of records. */
export interface DatasetSize {
  readonly rows: number
  readonly companies: number
}

export interface SampleRow {
  readonly date: string
  readonly departmentId: string
  /** A decimal of two places that does not end in 0: servers that trim zeros and those that do not print the same digits. */
  readonly amount: string
  readonly remark: string | null
}

/** The row with this number: `0 … rowsOfCompany(size) - 1`, by date and then by department. */
export function rowOf(company: number, rowNumber: number): SampleRow {
  const seed = company * 100_000_007 + rowNumber
  return {
    date: dateOf(Math.floor(rowNumber / departments)),
    departmentId: departmentOf(rowNumber % departments),
    amount: amountOf(scatter(seed)),
    remark: rowNumber % 10 === 0 ? `Vakt ${rowNumber % 7}, kasse ${rowNumber % 3}` : null,
  }
}

export const departments = 100

export function rowsOfCompany(size: DatasetSize): number {
  return Math.floor(size.rows / size.companies)
}

/** The number of rows in a list of `rows`: fewer if the database is small. */
export function listLength(size: DatasetSize, rows: number): number {
  return Math.min(rows, rowsOfCompany(size))
}

export function daysOf(size: DatasetSize): number {
  return Math.ceil(rowsOfCompany(size) / departments)
}

/** The date `day` days after the first one. */
export function dateOf(day: number): string {
  return new Date(firstDay + day * 86_400_000).toISOString().slice(0, 10)
}

export function departmentOf(index: number): string {
  return String(101 + index)
}

export function amountOf(bits: number): string {
  return `${bits % 1_000_000}.${(bits >>> 8) % 10}${1 + ((bits >>> 16) % 9)}`
}

/** How many material lines of each company wait for the receiver. */
export const exportLines = 1400

/** Usage of an item, as another system registers it. */
export function usageOf(index: number) {
  return {
    Dato: '2025-06-02',
    VareId: `V${index % 500}`,
    Varenavn: 'Skrue 4x40',
    Antall: 1 + (index % 9),
    Salgspris: 12.5,
    AvdelingId: String(index % 20),
  }
}

/** A range of one company's records, `from` included and `to` not. */
export interface Block {
  readonly company: number
  readonly from: number
  readonly to: number
}

/** The order in which every database is filled: the companies in turn, 10,000 records at a time. */
export function* blocksOf(size: DatasetSize): Generator<Block> {
  const total = rowsOfCompany(size)
  for (let from = 0; from < total; from += blockRows) {
    for (let company = 1; company <= size.companies; company++) {
      yield { company, from, to: Math.min(total, from + blockRows) }
    }
  }
}

const blockRows = 10_000

export function companyName(company: number): string {
  return `BENCH${company}`
}

export function companyPassword(company: number): string {
  return `benk-${company}-passord-til-maling`
}

/** A seeded source of integers, the same in every run (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    return scatter(state) % below
  }
}

const firstDay = Date.UTC(2000, 0, 1)

function scatter(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), value | 1)
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
  return (bits ^ (bits >>> 14)) >>> 0
}
