// Under which names the fields of a resource may come in, and what name was meant by one that is unknown.
import { misspelled, nearest } from '../../../lib/closest-match.ts'
import type { Field, Resource } from '../../model/resource.ts'

/** A place for what one spelling of a field brings; the two spellings of a key have one each. */
export interface Slot {
  readonly index: number
  /** The house name. */
  readonly name: string
  readonly field: Field
  readonly isKey: boolean
  readonly spelling: string
}

/** Made once per resource. */
export class FieldSlots {
  /** The slots of one field stand side by side. */
  readonly all: readonly Slot[]
  readonly #bySpelling = new Map<string, Slot>()
  readonly #byLowerCase = new Map<string, Slot>()
  readonly #writable: readonly string[]
  readonly #mistakenKeyNames: ReadonlyMap<string, string>

  constructor(resource: Resource) {
    this.all = Object.entries(resource.fields)
      .flatMap(([name, field]) =>
        [field.wire, ...(field.alsoReads ?? [])].map((spelling) => ({ name, field, spelling })),
      )
      .map((slot, index) => ({ ...slot, index, isKey: resource.key.includes(slot.name) }))
    for (const slot of this.all) {
      this.#bySpelling.set(slot.spelling, slot)
      this.#byLowerCase.set(slot.spelling.toLowerCase(), slot)
    }
    this.#writable = this.all
      .filter(({ field }) => field.readOnly !== true)
      .map(({ spelling }) => spelling)
    this.#mistakenKeyNames = new Map(Object.entries(resource.mistakenKeyNames ?? {}))
  }

  /** In any letter case. */
  find(name: string): Slot | undefined {
    return this.#bySpelling.get(name) ?? this.#byLowerCase.get(name.toLowerCase())
  }

  /** The spelling of the field that an unknown name is a misspelling of, among those that a caller may set. */
  misspelled(name: string): string | undefined {
    return misspelled(name, this.#writable)
  }

  /** The right name of the key, where callers mistake this name for it. */
  keyNameMeantBy(name: string): string | undefined {
    return this.#mistakenKeyNames.get(name.toLowerCase())
  }

  /** What an unknown name probably means. `Avdeling@odata.bind` means the field `AvdelingId`. */
  nearest(name: string): string | undefined {
    if (name.length > shownMax) return undefined
    if (isBinding(name)) return this.find(`${name.slice(0, name.indexOf('@'))}Id`)?.spelling
    return this.keyNameMeantBy(name) ?? this.misspelled(name) ?? nearest(name, this.#writable)
  }
}

/** The bind annotation, which sets a reference (OData 4.01 JSON, 8.5): `Avdeling@odata.bind`. */
export function isBinding(name: string): boolean {
  return /@(?:odata\.)?bind\s*$/i.test(name)
}

const slotsByResource = new WeakMap<Resource, FieldSlots>()

export function fieldSlotsOf(resource: Resource): FieldSlots {
  let slots = slotsByResource.get(resource)
  if (slots === undefined) slotsByResource.set(resource, (slots = new FieldSlots(resource)))
  return slots
}

/** How much of a caller's own word an answer repeats. */
const shownMax = 50

/** A caller's name, short enough to be printed and fit to be encoded. */
export function shownName(name: string): string {
  return name.length > shownMax ? `${name.slice(0, shownMax).toWellFormed()}…` : name
}
