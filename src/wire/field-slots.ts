// Under which names the fields of a resource may come in, and what name was meant by one that is unknown.
import { nearest } from '#lib/nearest.ts'
import type { Field, Resource } from '#model/resource.ts'

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
  }

  /** In any letter case. */
  find(name: string): Slot | undefined {
    return this.#bySpelling.get(name) ?? this.#byLowerCase.get(name.toLowerCase())
  }

  /** What an unknown name probably stands for, among those that a caller may set; also what it begins. */
  nearest(name: string): string | undefined {
    if (name.length > shownMax) return undefined
    const spellings = this.all
      .filter(({ field }) => field.readOnly !== true)
      .map(({ spelling }) => spelling)
    return nearest(name, spellings) ?? spellings.find((spelling) => isStart(name, spelling))
  }
}

/** Fewer than three letters begin too many names. */
const isStart = (name: string, spelling: string): boolean =>
  name.length >= 3 && spelling.toLowerCase().startsWith(name.toLowerCase())

const slotsByResource = new WeakMap<Resource, FieldSlots>()

export const fieldSlotsOf = (resource: Resource): FieldSlots => {
  let slots = slotsByResource.get(resource)
  if (slots === undefined) slotsByResource.set(resource, (slots = new FieldSlots(resource)))
  return slots
}

/** How much of a caller's own word an answer repeats. */
const shownMax = 50

/** A caller's name, short enough to be printed and fit to be encoded. */
export const shownName = (name: string): string =>
  name.length > shownMax ? `${name.slice(0, shownMax).toWellFormed()}…` : name
