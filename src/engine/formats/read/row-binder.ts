// Binds the members of parsed rows to the fields of a resource, one row at a time.
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

/** `ParsedRow` without the static type of the resource. */
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
  /** A misspelled name is often the same in every row, and finding a suggestion takes longer than binding the row. */
  readonly #suggestions = new Map<string, string | undefined>()
  readonly #misspelled = new Map<string, boolean>()
  readonly #slots: FieldSlots
  readonly #rules: ValueRules
  readonly #isStrict: boolean
  readonly #isExact: boolean
  readonly #rowsMax: number
  #problems = 0
  #detailsKept = 0

  /** State of the current row: its location, the value of each slot, and unknown names. */
  #location = ''
  readonly #values: (Written | undefined)[]
  #unrecognized: string[] = []
  /** Unknown names with a value: all of them, and probable misspellings. */
  #unknown: string[] = none
  #misspelledNames: string[] = none
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
    this.#values = this.#slots.all.map(() => undefined)
  }

  get body(): Omit<BoundBody, 'isList'> {
    return { rows: this.#rows, ignored: [...this.#ignored], problems: this.#problems }
  }

  begin(isListed: boolean): void {
    const index = this.#rows.length
    if (index === this.#rowsMax) throw new Fault('TooManyItems', { says: { max: this.#rowsMax } })
    this.#location = isListed ? `[${index}]` : ''
    this.#values.fill(undefined)
    this.#unrecognized = none
    this.#unknown = none
    this.#misspelledNames = none
    this.#details = noDetails
  }

  /** A repeated name is an error if `isExact`; otherwise the last one counts. Names are case-insensitive. */
  member(name: string, value: Written): void {
    const slot = this.#slots.find(name)
    if (slot !== undefined && slot.field.readOnly !== true) {
      if (this.#isExact && this.#values[slot.index] !== undefined) {
        const says = { first: slot.spelling, second: shownName(name) }
        this.#addError('DuplicateField', slot.spelling, says)
      }
      this.#values[slot.index] = value
      return
    }
    const isAnnotation = name.includes('@')
    if (isAnnotation && isBinding(name)) {
      this.#addUnknownField(name)
      return
    }
    if (this.#isExact) {
      if (isAnnotation) return
      if (slot !== undefined) {
        this.#addError('ReadOnlyField', slot.spelling, { field: slot.spelling })
        return
      }
    }
    if (this.#ignored.size < namesMax) this.#ignored.add(shownName(name))
    if (slot !== undefined) return
    this.#unrecognized = withName(this.#unrecognized, name)
    if (isAnnotation || value === null || this.#isStrict) return
    const isKeyMeant = this.#slots.keyNameMeantBy(name) !== undefined
    if (isKeyMeant && isNoKey(value)) return
    this.#unknown = withName(this.#unknown, shownName(name))
    if (isKeyMeant || this.#isMisspelled(name))
      this.#misspelledNames = withName(this.#misspelledNames, name)
  }

  end(): void {
    const values: Record<string, Value> = {}
    let known = 0
    for (const slot of this.#slots.all) {
      const written = this.#values[slot.index]
      if (written === undefined || (written === null && (!this.#isExact || slot.isKey))) continue
      if (!slot.isKey) known += 1
      if (written === null) this.#clear(slot, values)
      else this.#bind(slot, written, values)
    }
    // Unknown names are errors in strict mode, and in a row without any known field.
    const isStrict = this.#isStrict || known === 0
    for (const name of isStrict ? this.#unrecognized : this.#misspelledNames)
      this.#addUnknownField(name)
    this.#rows.push({
      place: this.#location,
      values,
      details: this.#details,
      known,
      unknown: this.#unknown,
    })
  }

  stray(value: Written): void {
    this.begin(true)
    this.#addError('InvalidType', '', {
      field: this.#location,
      expected: phrase('anObject'),
      found: kindOf(value),
    })
    this.#rows.push({
      place: this.#location,
      values: {},
      details: this.#details,
      known: 0,
      unknown: none,
    })
  }

  /** Sets an optional field to null. */
  #clear({ name, field, spelling }: Slot, values: Record<string, Value>): void {
    if (field.optional) values[name] = null
    else this.#addError('InvalidValue', spelling, { field: spelling, problem: phrase('itIsEmpty') })
  }

  #bind(slot: Slot, written: Exclude<Written, null>, values: Record<string, Value>): void {
    const { name, field, spelling } = slot
    const value = (slot.isKey ? readKey : readValue)(written, field, this.#rules)
    if (value === undefined) return
    if (value instanceof Unacceptable) {
      this.#addError(value.code, spelling, { field: spelling, ...value.says })
    } else if (values[name] === undefined || values[name] === value) {
      values[name] = value
    } else {
      this.#addError('DuplicateField', spelling, { first: field.wire, second: spelling })
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

  #addUnknownField(name: string): void {
    const shown = shownName(name)
    const meant = this.#suggest(shown)
    this.#addError('UnknownField', shown, {
      field: shown,
      ...(meant === undefined ? {} : { nearest: meant }),
    })
  }

  #suggest(shown: string): string | undefined {
    if (this.#suggestions.has(shown)) return this.#suggestions.get(shown)
    if (this.#suggestions.size >= detailsMax) return undefined
    const meant = this.#slots.nearest(shown)
    this.#suggestions.set(shown, meant)
    return meant
  }

  /** Keeps the first problem of each row and the first hundred of the body; the rest is only counted. */
  #addError(code: FaultCode, field: string, says: Says): void {
    this.#problems += 1
    if (this.#details.length > 0 && this.#detailsKept >= detailsMax) return
    if (this.#details === noDetails) this.#details = []
    this.#detailsKept += 1
    const dot = this.#location === '' || field === '' ? '' : '.'
    this.#details.push({ code, target: `${this.#location}${dot}${field}`, says })
  }
}

/** How many unknown names are kept of a body, and reported of one row. */
const namesMax = 20

/** How many distinct unknown names of a body are compared with field names; further ones count as misspelled. */
const decidedMax = 1000

/** Shared by all rows without unknown names. */
const none: string[] = []

/** Adds a name, without duplicates, up to `unknownNamesMax`. */
function withName(names: string[], name: string): string[] {
  if (names.length === namesMax || names.includes(name)) return names
  if (names === none) return [name]
  names.push(name)
  return names
}

const noDetails: Detail[] = []
