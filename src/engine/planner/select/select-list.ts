// Select list: the fields and values of a set, each once, by their names in the response.
import {
  findComplexProperty,
  getField,
  defaultFieldsOf,
  findRelation,
  requireReadScope,
  pathKey,
  isDefaultField,
  type ResourceView,
} from '../expressions/names.ts'
import { columnKey, pathOf, fieldsOf, type NamedField } from '../expressions/resource-fields.ts'
import type { NameScope, ComputedValue } from '../expressions/scope.ts'
import { unsupportedError } from '../../odata/options/option.ts'
import type { SelectedField, ComputedField, SetPlan } from '../read-plan.ts'
import type { NameNode } from '../../odata/expressions/syntax.ts'

export type Naming = NameScope['binding']['naming']

export class SelectListBuilder {
  readonly #scope: NameScope
  readonly #select = new Map<string, SelectedField>()
  readonly #selected = new Set<string>()
  readonly #computed = new Map<string, ComputedField>()

  constructor(scope: NameScope) {
    this.#scope = scope
  }

  build(
    paths: readonly (readonly NameNode[])[],
  ): Pick<SetPlan, 'select' | 'computed'> & { readonly selected: readonly string[] } {
    for (const path of paths) this.#addPath(path)
    return { select: [...this.#select.values()], selected: [...this.#selected], computed: [...this.#computed.values()] }
  }

  #addPath(path: readonly NameNode[]): void {
    const { computed, record } = this.#scope
    const [name, beyond] = path
    if (name === undefined) return
    if (beyond === undefined && computed.size === 0 && this.#addOwnField(name)) return
    const value = computed.get(pathKey(path))
    if (value !== undefined) return this.#addNamedValue(value, path)
    if (path.at(-1)?.name === '*') return this.#addAll(path.slice(0, -1))
    if (this.#addObject(path)) return
    const relation = findRelation(record.view, name)
    if (relation !== undefined) {
      if (beyond !== undefined) throw unsupportedError(this.#scope.option, beyond.column, 'aNestedSelect')
      this.#selected.add(relation.wire)
      return
    }
    const complexProperty = findComplexProperty(record.view, path)
    if (complexProperty !== undefined) this.#selected.add(complexProperty.path.join('/'))
    if (complexProperty !== undefined) return this.#addComplexFields(path)
    const field = getField(record.view, path, this.#scope.option)
    this.#selected.add(pathOf(field).join('/'))
    this.#addField(field, path)
  }

  /** Nearly every name is that of a field; without this path, planning eight of them takes 25 instead of 15 µs (measured). */
  #addOwnField(name: NameNode): boolean {
    const { record, option, binding } = this.#scope
    const field = fieldsOf(record.view.resource).byLowerCase.get(name.name.toLowerCase())
    if (field === undefined) return false
    requireReadScope(record.view, field.readScope, name, option)
    this.#selected.add(field.wire)
    this.#add({ field: field.name, as: binding.naming === 'declared' ? field.wire : name.name })
    return true
  }

  /** An object of `$apply` consists of all values inside it. */
  #addObject(path: readonly NameNode[]): boolean {
    const start = `${pathKey(path)}/`
    const inside = new Map([...this.#scope.computed].filter(([key]) => key.startsWith(start)))
    for (const one of toComputedFields(inside)) this.#addComputed(one)
    return inside.size > 0
  }

  /** `*`, or `Home/*`. */
  #addAll(path: readonly NameNode[]): void {
    const { computed, record, binding } = this.#scope
    this.#selected.add([...path.map(({ name }) => name), '*'].join('/'))
    if (path.length > 0) return this.#addComplexFields(path)
    for (const one of selectDefaultFields(binding.naming, record.view)) this.#add(one)
    for (const one of toComputedFields(computed)) this.#addComputed(one)
  }

  #addComplexFields(path: readonly NameNode[]): void {
    const { record, option } = this.#scope
    const { grantedScopes } = record.view
    const complexProperty = findComplexProperty(record.view, path)
    // For a primitive property, throws the error of an unknown name inside it.
    const fields = complexProperty?.fields ?? [getField(record.view, [...path, ...path.slice(-1)], option)]
    for (const field of fields) if (isDefaultField(field, grantedScopes)) this.#addField(field, path)
  }

  /** Names are spelled as in the request, as far as it spelled them. */
  #addField(field: NamedField, path: readonly NameNode[]): void {
    const { naming } = this.#scope.binding
    const declared = pathOf(field)
    const spelled = declared.map((wire, depth) => {
      if (naming === 'declared') return wire
      const isOwn = depth === declared.length - 1
      return path[depth]?.name ?? (isOwn ? outputName(field, naming) : wire)
    })
    this.#add(toSelectedField(field.name, spelled))
  }

  #add(one: SelectedField): void {
    if (!this.#select.has(one.field)) this.#select.set(one.field, one)
  }

  #addNamedValue(value: ComputedValue, path: readonly NameNode[]): void {
    this.#selected.add(value.name)
    const isDeclared = this.#scope.binding.naming === 'declared'
    const names = path.map(({ name }) => name)
    this.#addComputed({
      value: value.value,
      as: isDeclared ? value.name : (names.at(-1) ?? value.name),
      ...(value.within === undefined ? {} : { within: isDeclared ? value.within : names.slice(0, -1) }),
    })
  }

  #addComputed(one: ComputedField): void {
    const name = columnKey([...(one.within ?? []), one.as])
    if (!this.#computed.has(name)) this.#computed.set(name, one)
  }
}

export function toComputedFields(known: NameScope['computed']): readonly ComputedField[] {
  return [...known.values()].map(({ as, name, ...rest }) => ({ ...rest, as: as ?? name }))
}

export function selectDefaultFields(naming: Naming, view: ResourceView): readonly SelectedField[] {
  return defaultFieldsOf(view).map((field) => {
    const { name, within = [] } = field
    return toSelectedField(name, [...within.map(({ wire }) => wire), outputName(field, naming)])
  })
}

/** Omits `within` where it is empty, as it is for most fields. */
function toSelectedField(field: string, spelled: readonly string[]): SelectedField {
  const as = spelled.at(-1) ?? ''
  return spelled.length === 1 ? { field, as } : { field, as, within: spelled.slice(0, -1) }
}

export function outputName({ wire, documentName }: NamedField, naming: Naming): string {
  return naming === 'declared' ? wire : (documentName ?? wire)
}
