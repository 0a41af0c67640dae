// Listens to a reader and binds what it tells to the fields of a resource, one row at a time.
import { detailsMax, Fault, type Detail, type FaultCode } from '#faults.ts'
import { readDate, readDateWithoutZone } from '#lib/civil-date.ts'
import type { Resource } from '#model/resource.ts'
import { phrase, type Says } from '#phrases.ts'
import { fieldSlotsOf, shownName, type FieldSlots, type Slot } from '#wire/field-slots.ts'
import { readKey, readValue, Unacceptable, type Value, type ValueRules } from '#wire/read-value.ts'
import { kindOf, type RowSink, type Written } from '#wire/row-sink.ts'

export interface BindOptions {
  readonly resource: Resource
  readonly zone: string
  readonly refuseZones: boolean
  readonly isStrict: boolean
  readonly isExact: boolean
  readonly rowsMax: number
  readonly trims: boolean
}

export interface BoundBody {
  readonly rows: readonly BoundRow[]
  readonly isList: boolean
  readonly ignored: readonly string[]
  readonly problems: number
}

/** `ReadRow` of a resource that only the caller of `readRecords` knows. */
export interface BoundRow {
  readonly place: string
  readonly values: Readonly<Record<string, Value>>
  readonly details: readonly Detail[]
  readonly known: number
}

export class RowBinder implements RowSink {
  readonly #rows: BoundRow[] = []
  readonly #ignored = new Set<string>()
  /** A misspelled name is often the same in every row, and guessing what was meant takes longer than the row. */
  readonly #meant = new Map<string, string | undefined>()
  readonly #slots: FieldSlots
  readonly #rules: ValueRules
  readonly #isStrict: boolean
  readonly #isExact: boolean
  readonly #rowsMax: number
  #problems = 0
  #detailsKept = 0

  /** Of the row that is being told: where it stands, what each slot got, and what fits none. */
  #place = ''
  readonly #written: (Written | undefined)[]
  #strangers: string[] = []
  #details: Detail[] = noDetails

  constructor(options: BindOptions) {
    const { resource, zone, refuseZones, isStrict, isExact, rowsMax, trims } = options
    this.#slots = fieldSlotsOf(resource)
    this.#rules = {
      readDate: refuseZones ? readDateWithoutZone : (text) => readDate(text, zone),
      zone,
      trims,
    }
    this.#isStrict = isStrict || isExact
    this.#isExact = isExact
    this.#rowsMax = rowsMax
    this.#written = this.#slots.all.map(() => undefined)
  }

  get body(): Omit<BoundBody, 'isList'> {
    return { rows: this.#rows, ignored: [...this.#ignored], problems: this.#problems }
  }

  begin(isListed: boolean): void {
    const index = this.#rows.length
    if (index === this.#rowsMax) throw new Fault('TooManyItems', { says: { max: this.#rowsMax } })
    this.#place = isListed ? `[${index}]` : ''
    this.#written.fill(undefined)
    this.#strangers = none
    this.#details = noDetails
  }

  /** A repeated name is refused where bodies are read to the letter; elsewhere the last one counts, in any letter case. */
  member(name: string, value: Written): void {
    const slot = this.#slots.find(name)
    if (slot !== undefined && slot.field.readOnly !== true) {
      if (this.#isExact && this.#written[slot.index] !== undefined) {
        const says = { first: slot.spelling, second: shownName(name) }
        this.#complain('DuplicateField', slot.spelling, says)
      }
      this.#written[slot.index] = value
      return
    }
    if (this.#isExact) {
      if (name.includes('@')) return
      if (slot !== undefined) {
        this.#complain('ReadOnlyField', slot.spelling, { field: slot.spelling })
        return
      }
    }
    if (this.#ignored.size < namesMax) this.#ignored.add(shownName(name))
    const isCounted = slot !== undefined || this.#strangers.includes(name)
    if (isCounted || this.#strangers.length === namesMax) return
    if (this.#strangers === none) this.#strangers = []
    this.#strangers.push(name)
  }

  end(): void {
    const values: Record<string, Value> = {}
    let known = 0
    for (const slot of this.#slots.all) {
      const written = this.#written[slot.index]
      if (written === undefined || (written === null && (!this.#isExact || slot.isKey))) continue
      if (!slot.isKey) known += 1
      if (written === null) this.#empty(slot, values)
      else this.#bind(slot, written, values)
    }
    if (this.#isStrict || known === 0) this.#refuseStrangers()
    this.#rows.push({ place: this.#place, values, details: this.#details, known })
  }

  stray(value: Written): void {
    this.begin(true)
    this.#complain('InvalidType', '', {
      field: this.#place,
      expected: phrase('anObject'),
      found: kindOf(value),
    })
    this.#rows.push({ place: this.#place, values: {}, details: this.#details, known: 0 })
  }

  /** Null empties a field that may be empty. */
  #empty({ name, field, spelling }: Slot, values: Record<string, Value>): void {
    if (field.optional) values[name] = null
    else this.#complain('InvalidValue', spelling, { field: spelling, problem: phrase('itIsEmpty') })
  }

  #bind(slot: Slot, written: Exclude<Written, null>, values: Record<string, Value>): void {
    const { name, field, spelling } = slot
    const value = (slot.isKey ? readKey : readValue)(written, field, this.#rules)
    if (value === undefined) return
    if (value instanceof Unacceptable) {
      this.#complain(value.code, spelling, { field: spelling, ...value.says })
    } else if (values[name] === undefined || values[name] === value) {
      values[name] = value
    } else {
      this.#complain('DuplicateField', spelling, { first: field.wire, second: spelling })
    }
  }

  /** A row that says nothing we know, or a caller who wants to be told. */
  #refuseStrangers(): void {
    for (const name of this.#strangers) {
      const shown = shownName(name)
      if (this.#slots.find(name) !== undefined) {
        this.#complain('ReadOnlyField', shown, { field: shown })
        continue
      }
      const meant = this.#nearest(shown)
      this.#complain('UnknownField', shown, {
        field: shown,
        ...(meant === undefined ? {} : { nearest: meant }),
      })
    }
  }

  #nearest(shown: string): string | undefined {
    if (this.#meant.has(shown)) return this.#meant.get(shown)
    const meant = this.#slots.nearest(shown)
    if (this.#meant.size < namesMax) this.#meant.set(shown, meant)
    return meant
  }

  /** Every bad row keeps its first problem, and the body the first hundred; the rest is counted. */
  #complain(code: FaultCode, field: string, says: Says): void {
    this.#problems += 1
    if (this.#details.length > 0 && this.#detailsKept >= detailsMax) return
    if (this.#details === noDetails) this.#details = []
    this.#detailsKept += 1
    const dot = this.#place === '' || field === '' ? '' : '.'
    this.#details.push({ code, target: `${this.#place}${dot}${field}`, says })
  }
}

/** How many names of unknown fields are kept of a body, and refused in one row. */
const namesMax = 20

const none: string[] = []
const noDetails: Detail[] = []
