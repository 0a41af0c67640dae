// Binds the members of parsed rows to the fields of a resource, one row at a time.
import { detailsMax, ApiError, type ErrorDetail } from '../../../errors/api-error.ts'
import type { ErrorCode } from '../../../errors/catalog.ts'
import { parseDate, parseDateWithoutZone } from '../../../lib/calendar-date.ts'
import { memoizeLast } from '../../../lib/memoize.ts'
import type { Resource } from '../../model/resource.ts'
import { message, type MessageParams } from '../../../errors/messages.ts'
import type { Relation } from '../../model/schema.ts'
import {
  findBoundRelation,
  isBindAnnotation,
  isDeepMember,
  parseBoundReference,
  type BindRules,
} from './bind-annotations.ts'
import { BoundRows, noBindAnnotations, noDetails, type BoundRow } from './bound-rows.ts'
import { getFieldSpellings, truncateFieldName, type FieldSpellings, type FieldSpelling } from './field-spellings.ts'
import { isEmptyKey, parseKey, parseValue, InvalidFieldValue, type ParsedValue, type ValueRules } from './read-value.ts'
import { describeValue, type RowSink, type BodyValue } from './row-sink.ts'
import { addName, noNames, UnknownNames, unknownNamesMax } from './unknown-names.ts'

export interface RowBinderOptions {
  readonly resource: Resource
  /** The company's time zone, a valid IANA name. */
  readonly zone: string
  /** Whether the company rejects dates with a zone or offset. */
  readonly refuseZones: boolean
  /** `Prefer: handling=strict`: unknown fields are rejected, not ignored. */
  readonly isStrict: boolean
  /**
   * OData semantics: null is a value, read-only and unknown fields are rejected, annotations are ignored (ADR 0028).
   */
  readonly hasODataSemantics: boolean
  /** Whether read-only fields of OData bodies are ignored: in a record that was read, and is sent back as a whole. */
  readonly ignoresReadOnly?: boolean
  /** Default: bind annotations are unknown fields. */
  readonly bindRules?: BindRules
  readonly rowsMax: number
  readonly trimsValues: boolean
  /** Checks a row without errors. What it throws is the error of the body as a whole. */
  readonly validate?: (row: RowContent) => readonly ApiError[]
}

/** A row whose fields are valid, each by itself. */
export interface RowContent {
  readonly values: BoundRow['values']
  /** Whether no known field was sent but the key. */
  readonly isEmpty: boolean
  /** The first unknown names with a value, truncated; empty where unknown fields are rejected. */
  readonly unknownFields: readonly string[]
  /** Null for the single row of a body. */
  readonly index: number | null
}

export interface BoundBody {
  readonly rows: BoundRows
  readonly isList: boolean
  /** The first ignored names, truncated; they come from the client, so encode them for headers. */
  readonly ignoredFields: readonly string[]
  /** The errors of each invalid row, by its index. */
  readonly invalid: ReadonlyMap<number, readonly ErrorDetail[]>
  /** The number of all problems; of a row with several, only the first may be listed. */
  readonly problems: number
}

export class RowBinder implements RowSink {
  readonly #rows = new BoundRows()
  readonly #invalid = new Map<number, readonly ErrorDetail[]>()
  readonly #ignored = new Set<string>()
  readonly #spellings: FieldSpellings
  readonly #unknownNames: UnknownNames
  readonly #rules: ValueRules
  readonly #options: RowBinderOptions
  readonly #isStrict: boolean
  #problems = 0
  #detailsKept = 0

  /** State of the current row: its index in a list, the value of each spelling, and unknown names. */
  #index: number | null = null
  readonly #values: (BodyValue | undefined)[]
  /** Parsed, of each spelling. */
  readonly #codes: Map<string, ParsedValue>[] = []
  #unrecognized: string[] = []
  /** Unknown names with a value: all of them, and probable misspellings. */
  #unknown: string[] = noNames
  #misspelledNames: string[] = noNames
  #bound: BoundMember[] = noBound
  #details: ErrorDetail[] = noDetails

  constructor(options: RowBinderOptions) {
    const { resource, zone, refuseZones, isStrict, hasODataSemantics, bindRules, trimsValues } = options
    this.#options = options
    this.#spellings = getFieldSpellings(resource)
    const readDate = refuseZones ? parseDateWithoutZone : (text: string) => parseDate(text, zone)
    this.#rules = { readDate: memoizeLast(readDate), zone, trimsValues }
    this.#isStrict = isStrict || hasODataSemantics
    this.#unknownNames = new UnknownNames(this.#spellings, bindRules ?? null)
    this.#values = this.#spellings.all.map(() => undefined)
  }

  get body(): Omit<BoundBody, 'isList'> {
    return { rows: this.#rows, invalid: this.#invalid, ignoredFields: [...this.#ignored], problems: this.#problems }
  }

  begin(isListed: boolean): void {
    const index = this.#rows.length
    const { rowsMax: max } = this.#options
    if (index === max) throw new ApiError('TooManyItems', { params: { max, limitName: 'listRowsMax' } })
    this.#index = isListed ? index : null
    for (let at = 0; at < this.#values.length; at += 1) this.#values[at] = undefined
    this.#unrecognized = noNames
    this.#unknown = noNames
    this.#misspelledNames = noNames
    this.#bound = noBound
    this.#details = noDetails
  }

  /**
   * A repeated name is an error if `hasODataSemantics`; otherwise the last one that is not null counts. Names are
   * case-insensitive.
   */
  member(name: string, value: BodyValue): void {
    const { hasODataSemantics, bindRules } = this.#options
    const fieldSpelling = this.#spellings.find(name)
    if (fieldSpelling !== undefined && fieldSpelling.field.readOnly !== true) {
      if (hasODataSemantics && this.#values[fieldSpelling.index] !== undefined) {
        const params = { first: fieldSpelling.spelling, second: truncateFieldName(name) }
        this.#addError('DuplicateField', fieldSpelling.spelling, params)
      }
      // Null counts as not sent, and so does not replace an amount.
      if (value === null && !hasODataSemantics) this.#values[fieldSpelling.index] ??= null
      else this.#values[fieldSpelling.index] = value
      return
    }
    const isAnnotation = name.includes('@')
    if (isAnnotation && isBindAnnotation(name)) return this.#addBound(name, value)
    if (hasODataSemantics) {
      if (bindRules !== undefined && isDeepMember(bindRules, name))
        return this.#addError('NotSupported', name, { feature: message('deepInsert') })
      if (isAnnotation) return this.#checkControlInformation(name, value)
      if (fieldSpelling !== undefined) {
        if (this.#options.ignoresReadOnly !== true)
          this.#addError('ReadOnlyField', fieldSpelling.spelling, { field: fieldSpelling.spelling })
        return
      }
    }
    this.ignoredMember(name)
    if (fieldSpelling !== undefined) return
    this.#unrecognized = addName(this.#unrecognized, name)
    if (isAnnotation || value === null || this.#isStrict) return
    const isKeyMeant = this.#spellings.intendedKeyName(name) !== undefined
    if (isKeyMeant && isEmptyKey(value)) return
    this.#unknown = addName(this.#unknown, truncateFieldName(name))
    if (isKeyMeant || this.#unknownNames.isMisspelled(name))
      this.#misspelledNames = addName(this.#misspelledNames, name)
  }

  end(): void {
    const { hasODataSemantics } = this.#options
    const values: Record<string, ParsedValue> = {}
    let isEmpty = this.#bound.length === 0
    for (const fieldSpelling of this.#spellings.all) {
      const written = this.#values[fieldSpelling.index]
      if (written === undefined || (written === null && (!hasODataSemantics || fieldSpelling.isKey))) continue
      if (!fieldSpelling.isKey) isEmpty = false
      if (written === null) this.#clear(fieldSpelling, values)
      else this.#bind(fieldSpelling, written, values)
    }
    const bindAnnotations = this.#bound === noBound ? noBindAnnotations : this.#bindBound(values)
    // Unknown names are errors in strict mode, and in a row without any known field.
    const isStrict = this.#isStrict || isEmpty
    for (const name of isStrict ? this.#unrecognized : this.#misspelledNames) this.#addUnknownField(name)
    if (this.#details === noDetails)
      this.#validate({ values, isEmpty, unknownFields: this.#unknown, index: this.#index })
    const details = this.#details
    if (details !== noDetails) this.#invalid.set(this.#rows.length, details)
    this.#rows.add(this.#index === null, { values, bindAnnotations, details })
  }

  get #location(): string {
    return this.#index === null ? '' : `[${this.#index}]`
  }

  #validate(row: RowContent): void {
    const errors = this.#options.validate?.(row) ?? noErrors
    if (errors.length === 0) return
    this.#problems += errors.length
    this.#details = errors.map((error) => error.toDetail(this.#location))
  }

  invalidElement(value: BodyValue): void {
    this.begin(true)
    this.#addError('InvalidType', '', {
      field: this.#location,
      expected: message('anObject'),
      found: describeValue(value),
    })
    this.end()
  }

  ignoredMember(name: string): void {
    if (this.#ignored.size < unknownNamesMax) this.#ignored.add(truncateFieldName(name))
  }

  /** Sets a field to null that is optional, or for which the service has a value. */
  #clear({ name, field, spelling }: FieldSpelling, values: Record<string, ParsedValue>): void {
    if (field.optional || field.assigned) values[name] = null
    else this.#addError('InvalidValue', spelling, { field: spelling, problem: message('isEmpty') })
  }

  #bind(fieldSpelling: FieldSpelling, written: Exclude<BodyValue, null>, values: Record<string, ParsedValue>): void {
    const { name, field, spelling } = fieldSpelling
    const value = fieldSpelling.isKey ? parseKey(written, field, this.#rules) : this.#parse(fieldSpelling, written)
    if (value === undefined) return
    if (value instanceof InvalidFieldValue) this.#addError(value.code, spelling, { field: spelling, ...value.params })
    else if (values[name] === undefined || values[name] === value) values[name] = value
    else this.#addError('DuplicateField', spelling, { first: field.wire, second: spelling })
  }

  /** Many rows of a list have the same code: it is parsed once, and kept once. */
  #parse({ index, field }: FieldSpelling, written: Exclude<BodyValue, null>): ParsedValue | InvalidFieldValue {
    const isCode = typeof written === 'string' && field.type === 'text' && written.length <= codeLengthMax
    if (!isCode || this.#rows.length === 0) return parseValue(written, field, this.#rules)
    const known = (this.#codes[index] ??= new Map<string, ParsedValue>())
    const found = known.get(written)
    if (found !== undefined) return found
    const value = parseValue(written, field, this.#rules)
    if (typeof value === 'string' && known.size < codesMax) known.set(written, value)
    return value
  }

  /** Refuses a record of another type, and a deleted record of a delta payload (OData JSON 4.01, 4.6.3 and 15.3). */
  #checkControlInformation(name: string, value: BodyValue): void {
    const [, control] = /^@(?:odata\.)?(type|removed)\s*$/i.exec(name) ?? []
    const { typeName } = this.#options.bindRules ?? {}
    if (typeName === undefined || control === undefined) return
    if (control.toLowerCase() === 'removed')
      return this.#addError('NotSupported', name, { feature: message('deletedRecord') })
    if (typeof value === 'string' && value.replace(/^.*#/s, '').toLowerCase() === typeName.toLowerCase()) return
    const problem = message('expectedType', { type: `#${typeName}` })
    this.#addError('InvalidValue', name, { field: name, problem })
  }

  #addBound(annotation: string, value: BodyValue): void {
    const { bindRules: rules } = this.#options
    const relation = rules === undefined ? undefined : findBoundRelation(rules, annotation)
    if (rules === undefined || relation === undefined) return this.#addUnknownField(annotation)
    const name = truncateFieldName(annotation)
    const earlier = this.#bound.find((one) => one.relation === relation)
    if (earlier !== undefined) return this.#addError('DuplicateField', name, { first: earlier.name, second: name })
    if (this.#bound === noBound) this.#bound = []
    this.#bound.push({ name, relation, value, rules })
  }

  /** Sets foreign keys; one that is also a member of the row must have the same value. */
  #bindBound(values: Record<string, ParsedValue>): ReadonlyMap<string, string> {
    const annotations = new Map<string, string>()
    for (const { name, relation, value, rules } of this.#bound) {
      const bound = parseBoundReference(value, relation, rules)
      if (bound instanceof InvalidFieldValue) {
        this.#addError(bound.code, name, { field: name, ...bound.params })
        continue
      }
      const { foreignKey, key } = bound
      const sent = values[foreignKey]
      if (sent !== undefined && sent !== key) {
        const first = relation.of.fields[foreignKey]?.wire ?? foreignKey
        this.#addError('DuplicateField', name, { first, second: name })
      }
      annotations.set(foreignKey, name)
      values[foreignKey] = key
    }
    return annotations
  }

  #addUnknownField(name: string): void {
    const shortName = truncateFieldName(name)
    const nearest = this.#unknownNames.closestMatch(shortName)
    this.#addError('UnknownField', shortName, { field: shortName, nearest })
  }

  /** Keeps the first problem of each row and the first hundred of the body; the rest is only counted. */
  #addError(code: ErrorCode, field: string, params: MessageParams): void {
    this.#problems += 1
    if (this.#details.length > 0 && this.#detailsKept >= detailsMax) return
    if (this.#details === noDetails) this.#details = []
    this.#detailsKept += 1
    const location = this.#location
    const dot = location === '' || field === '' ? '' : '.'
    this.#details.push({ code, target: `${location}${dot}${field}`, params })
  }
}

/** A bind annotation of the current row; its name is truncated. */
interface BoundMember {
  readonly name: string
  readonly relation: Relation
  readonly value: BodyValue
  readonly rules: BindRules
}

/** A longer text is no code. */
const codeLengthMax = 50
/** Of a field with more, the others are parsed each. */
const codesMax = 1000

const noErrors: readonly ApiError[] = []

/** Shared by all rows without bind annotations. */
const noBound: BoundMember[] = []
