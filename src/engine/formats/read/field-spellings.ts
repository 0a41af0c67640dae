// Lookup of a resource's fields by the names in request bodies, with suggestions for unknown names.
import { findIntendedName, closestMatch } from '../../../lib/closest-match.ts'
import { memoize } from '../../../lib/memoize.ts'
import type { Field, Resource } from '../../model/resource.ts'
import { isBindAnnotation } from './bind-annotations.ts'

/** One spelling of a field, and the index of its value in a row; the two spellings of a key have one each. */
export interface FieldSpelling {
  /** Zero-based. */
  readonly index: number
  /** The internal name. */
  readonly name: string
  readonly field: Field
  readonly isKey: boolean
  readonly spelling: string
}

/** Created once per resource. */
export class FieldSpellings {
  /** Those of one field are adjacent. */
  readonly all: readonly FieldSpelling[]
  readonly #bySpelling = new Map<string, FieldSpelling>()
  readonly #byLowerCase = new Map<string, FieldSpelling>()
  readonly #writable: readonly string[]
  readonly #mistakenKeyNames: ReadonlyMap<string, string>

  constructor(resource: Resource) {
    this.all = Object.entries(resource.fields)
      .flatMap(([name, field]) => [field.wire, ...(field.aliases ?? [])].map((spelling) => ({ name, field, spelling })))
      .map((fieldSpelling, index) => ({ ...fieldSpelling, index, isKey: resource.key.includes(fieldSpelling.name) }))
    for (const fieldSpelling of this.all) {
      this.#bySpelling.set(fieldSpelling.spelling, fieldSpelling)
      this.#byLowerCase.set(fieldSpelling.spelling.toLowerCase(), fieldSpelling)
    }
    this.#writable = this.all.filter(({ field }) => field.readOnly !== true).map(({ spelling }) => spelling)
    this.#mistakenKeyNames = new Map(Object.entries(resource.mistakenKeyNames ?? {}))
  }

  /** Case-insensitive. */
  find(name: string): FieldSpelling | undefined {
    return this.#bySpelling.get(name) ?? this.#byLowerCase.get(name.toLowerCase())
  }

  /** The writable field that an unknown name is a misspelling of. */
  findIntendedName(name: string): string | undefined {
    return findIntendedName(name, this.#writable)
  }

  /** The correct name of the key, if clients confuse this name with it. */
  intendedKeyName(name: string): string | undefined {
    return this.#mistakenKeyNames.get(name.toLowerCase())
  }

  /** The suggestion for an unknown name. `Avdeling@odata.bind` suggests the field `AvdelingId`. */
  closestMatch(name: string): string | undefined {
    if (name.length > nameLengthMax) return undefined
    if (isBindAnnotation(name)) return this.find(`${name.slice(0, name.indexOf('@'))}Id`)?.spelling
    return this.intendedKeyName(name) ?? this.findIntendedName(name) ?? closestMatch(name, this.#writable)
  }
}

export const getFieldSpellings = memoize((resource: Resource) => new FieldSpellings(resource))

/** The maximum length of a client's name in an error. */
const nameLengthMax = 50

/** A client's name, truncated and well-formed, for errors and headers. */
export function truncateFieldName(name: string): string {
  return name.length > nameLengthMax ? `${name.slice(0, nameLengthMax).toWellFormed()}…` : name
}
