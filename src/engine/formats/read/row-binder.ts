// Listens to a reader and binds what it tells to the fields of a resource, one row at a time.
import { detailsMax, Fault, type Detail, type FaultCode } from '../../../errors/catalog.ts'
import { readDate, readDateWithoutZone } from '../../../lib/civil-date.ts'
import type { Resource } from '../../model/resource.ts'
import { phrase, type Says } from '../../../errors/messages.ts'
import { fieldSlotsOf, isBinding, shownName, type FieldSlots, type Slot } from './field-slots.ts'
import {
  isNoKey,
  readKey,
  readValue,
  Unacceptable,
  type Value,
  type ValueRules,
} from './read-value.ts'
import { kindOf, type RowSink, type Written } from './row-sink.ts'

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
  readonly unknown: readonly string[]
}

export class RowBinder implements RowSink {
  readonly #rows: BoundRow[] = []
  readonly #ignored = new Set<string>()
  /** A misspelled name is often the same in every row, and guessing what was meant takes longer than the row. */
  readonly #meant = new Map<string, string | undefined>()
  readonly #misspelled = new Map<string, boolean>()
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
  /** Unknown names with a value: all of them, and those that are probably meant for a field. */
  #unknown: string[] = none
  #mistaken: string[] = none
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
    this.#unknown = none
    this.#mistaken = none
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
    const isAnnotation = name.includes('@')
    if (isAnnotation && isBinding(name)) {
      this.#refuse(name)
      return
    }
    if (this.#isExact) {
      if (isAnnotation) return
      if (slot !== undefined) {
        this.#complain('ReadOnlyField', slot.spelling, { field: slot.spelling })
        return
      }
    }
    if (this.#ignored.size < namesMax) this.#ignored.add(shownName(name))
    if (slot !== undefined) return
    this.#strangers = withName(this.#strangers, name)
    if (isAnnotation || value === null || this.#isStrict) return
    const isKeyMeant = this.#slots.keyNameMeantBy(name) !== undefined
    if (isKeyMeant && isNoKey(value)) return
    this.#unknown = withName(this.#unknown, shownName(name))
    if (isKeyMeant || this.#isMisspelled(name)) this.#mistaken = withName(this.#mistaken, name)
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
    // Strict, or a row without any known field.
    const isStrict = this.#isStrict || known === 0
    for (const name of isStrict ? this.#strangers : this.#mistaken) this.#refuse(name)
    this.#rows.push({
      place: this.#place,
      values,
      details: this.#details,
      known,
      unknown: this.#unknown,
    })
  }

  stray(value: Written): void {
    this.begin(true)
    this.#complain('InvalidType', '', {
      field: this.#place,
      expected: phrase('anObject'),
      found: kindOf(value),
    })
    this.#rows.push({
      place: this.#place,
      values: {},
      details: this.#details,
      known: 0,
      unknown: none,
    })
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

  #isMisspelled(name: string): boolean {
    let isMisspelled = this.#misspelled.get(name)
    if (isMisspelled === undefined && this.#misspelled.size < decidedMax) {
      isMisspelled = this.#slots.misspelled(name) !== undefined
      this.#misspelled.set(name, isMisspelled)
    }
    return isMisspelled ?? true
  }

  #refuse(name: string): void {
    const shown = shownName(name)
    const meant = this.#nearest(shown)
    this.#complain('UnknownField', shown, {
      field: shown,
      ...(meant === undefined ? {} : { nearest: meant }),
    })
  }

  #nearest(shown: string): string | undefined {
    if (this.#meant.has(shown)) return this.#meant.get(shown)
    if (this.#meant.size >= detailsMax) return undefined
    const meant = this.#slots.nearest(shown)
    this.#meant.set(shown, meant)
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

/** How many unknown names of a body are compared with those of fields; what comes after them is refused. */
const decidedMax = 1000

/** Shared by all rows without such names. */
const none: string[] = []

/** The names and one more, without duplicates, at most `namesMax`. */
function withName(names: string[], name: string): string[] {
  if (names.length === namesMax || names.includes(name)) return names
  if (names === none) return [name]
  names.push(name)
  return names
}

const noDetails: Detail[] = []
