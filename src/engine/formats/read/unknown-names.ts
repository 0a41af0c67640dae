// Unknown names in a request body: short lists of them, and the names that were meant.
import { detailsMax } from '../../../errors/api-error.ts'
import { isBindAnnotation, suggestBindAnnotation, type BindRules } from './bind-annotations.ts'
import type { FieldSpellings } from './field-spellings.ts'

/** A misspelled name is often the same in every row, and finding what was meant takes longer than binding the row. */
export class UnknownNames {
  readonly #spellings: FieldSpellings
  readonly #bindRules: BindRules | null
  readonly #closestMatches = new Map<string, string | undefined>()
  readonly #misspelled = new Map<string, boolean>()

  constructor(spellings: FieldSpellings, bindRules: BindRules | null) {
    this.#spellings = spellings
    this.#bindRules = bindRules
  }

  /** Whether the name is nearly that of a writable field. */
  isMisspelled(name: string): boolean {
    let isMisspelled = this.#misspelled.get(name)
    if (isMisspelled === undefined && this.#misspelled.size < misspellingsMax) {
      isMisspelled = this.#spellings.findIntendedName(name) !== undefined
      this.#misspelled.set(name, isMisspelled)
    }
    return isMisspelled ?? true
  }

  /** The suggestion for a truncated name; no more of them than errors are listed. */
  closestMatch(shortName: string): string | undefined {
    if (this.#closestMatches.has(shortName)) return this.#closestMatches.get(shortName)
    if (this.#closestMatches.size >= detailsMax) return undefined
    const match =
      this.#bindRules !== null && isBindAnnotation(shortName)
        ? suggestBindAnnotation(this.#bindRules, shortName)
        : this.#spellings.closestMatch(shortName)
    this.#closestMatches.set(shortName, match)
    return match
  }
}

/** How many distinct unknown names of a body are compared with field names; further ones count as misspelled. */
const misspellingsMax = 1000

/** How many unknown names are kept of a body, and reported of one row. */
export const unknownNamesMax = 20

/** Shared by all rows without unknown names. */
export const noNames: string[] = []

/** Adds a name, without duplicates, up to `unknownNamesMax`. */
export function addName(names: string[], name: string): string[] {
  if (names.length === unknownNamesMax || names.includes(name)) return names
  if (names === noNames) return [name]
  names.push(name)
  return names
}
