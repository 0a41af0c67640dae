// Binding of `$select`: the fields to return, each once, and their names in the response.
import { selectOption } from '../../odata/options/option.ts'
import type { Name, SelectItem } from '../../odata/expressions/syntax.ts'
import { notSupported } from '../binding.ts'
import { frameOf, type Frame, type NamedValue } from '../expressions/scope.ts'
import {
  compositeAt,
  fieldAt,
  fieldsOf,
  pathOf,
  relationNamed,
  requireRight,
  wayOf,
  type NamedComposite,
  type NamedField,
  type View,
} from '../expressions/names.ts'
import type { Computed, Selected, SetPlan } from '../read-plan.ts'

type Naming = Frame['binding']['naming']

/**
 * Without `$select`, and for `*`: all fields that are returned by default and that the caller may read, in the order
 * of the model, and the `$compute` aliases. A selected relation only adds its name to the context URL.
 */
export function bindSelect(
  frame: Frame,
  items: readonly SelectItem[] | undefined,
): Pick<SetPlan, 'select' | 'selected' | 'computed'> {
  const { binding, computed } = frame
  if (items !== undefined) return new Selection(frame).of(waysOf(frame, items, []))
  return {
    select: defaultsOf(binding.naming, frame.record.view),
    selected: null,
    computed: allComputed(computed),
  }
}

/** Selects fields of a complex property: all of them, or the selected ones. */
export function selectedParts(
  binding: Frame['binding'],
  view: View,
  { path }: NamedComposite,
  items: readonly SelectItem[] | undefined,
): Pick<SetPlan, 'select' | 'selected'> {
  const record = { view, number: 0, joins: [], isJoined: false }
  const frame = { ...frameOf(binding, record, record), option: selectOption }
  const before = path.map((name): Name => ({ kind: 'name', name, column: 1 }))
  const ways = items === undefined ? [before] : waysOf(frame, items, before)
  const { select, selected } = new Selection(frame).of(ways)
  const depth = path.join('/').length + 1
  const inside = selected.map((name) => name.slice(depth))
  return { select, selected: items === undefined ? null : inside }
}

/** `Home($select=City,Street)` is `Home/City,Home/Street`. */
function waysOf(
  frame: Frame,
  items: readonly SelectItem[],
  before: readonly Name[],
): (readonly Name[])[] {
  return items.flatMap(({ path: itemPath, options }) => {
    const path = before.length === 0 ? itemPath : [...before, ...itemPath]
    const { select, aliases: _aliases, ...others } = options
    const [last = { column: 1 }] = itemPath.slice(-1)
    if (Object.keys(others).length > 0) throw notSupported('selectingInside', frame.option, last)
    return select === undefined ? [path] : waysOf(frame, select, path)
  })
}

class Selection {
  readonly #scope: Frame
  readonly #select = new Map<string, Selected>()
  readonly #selected = new Set<string>()
  readonly #computed = new Map<string, Computed>()

  constructor(frame: Frame) {
    this.#scope = frame
  }

  of(ways: readonly (readonly Name[])[]): Pick<SetPlan, 'select' | 'computed'> & {
    readonly selected: readonly string[]
  } {
    for (const path of ways) this.#addPath(path)
    return {
      select: [...this.#select.values()],
      selected: [...this.#selected],
      computed: [...this.#computed.values()],
    }
  }

  #addPath(path: readonly Name[]): void {
    const { computed, record } = this.#scope
    const [name, beyond] = path
    if (name === undefined) return
    if (beyond === undefined && computed.size === 0 && this.#addOwnField(name)) return
    const value = computed.get(wayOf(path))
    if (value !== undefined) return this.#addNamedValue(value, path)
    if (path.at(-1)?.name === '*') return this.#addAll(path.slice(0, -1))
    if (this.#addObject(path)) return
    const relation = relationNamed(record.view, name)
    if (relation !== undefined) {
      if (beyond !== undefined) throw notSupported('selectingInside', this.#scope.option, beyond)
      this.#selected.add(relation.wire)
      return
    }
    const composite = compositeAt(record.view, path)
    if (composite !== undefined) this.#selected.add(composite.path.join('/'))
    if (composite !== undefined) return this.#addComplexFields(path)
    const field = fieldAt(record.view, path, this.#scope.option)
    this.#selected.add(pathOf(field).join('/'))
    this.#addField(field, path)
  }

  /** Fast path: nearly every name is that of a field. */
  #addOwnField(name: Name): boolean {
    const { record, option, binding } = this.#scope
    const field = fieldsOf(record.view.resource).byLowerCase.get(name.name.toLowerCase())
    if (field === undefined) return false
    requireRight(record.view, field.right, name, option)
    this.#selected.add(field.wire)
    this.#add({ field: field.name, as: binding.naming === 'declared' ? field.wire : name.name })
    return true
  }

  /** An object of `$apply` consists of all values inside it. */
  #addObject(path: readonly Name[]): boolean {
    const start = `${wayOf(path)}/`
    const inside = new Map([...this.#scope.computed].filter(([key]) => key.startsWith(start)))
    for (const one of allComputed(inside)) this.#addComputed(one)
    return inside.size > 0
  }

  /** `*`, or `Home/*`. */
  #addAll(path: readonly Name[]): void {
    const { computed, record, binding } = this.#scope
    this.#selected.add([...path.map(({ name }) => name), '*'].join('/'))
    if (path.length > 0) return this.#addComplexFields(path)
    for (const one of defaultsOf(binding.naming, record.view)) this.#add(one)
    for (const one of allComputed(computed)) this.#addComputed(one)
  }

  #addComplexFields(path: readonly Name[]): void {
    const { record, option } = this.#scope
    const { rights } = record.view
    const composite = compositeAt(record.view, path)
    // For a primitive property, throws the error of an unknown name inside it.
    const fields = composite?.fields ?? [fieldAt(record.view, [...path, ...path.slice(-1)], option)]
    for (const field of fields)
      if (!field.onlyAsked && (field.right === undefined || rights.has(field.right)))
        this.#addField(field, path)
  }

  /** Names are spelled as in the request, as far as it spelled them. */
  #addField(field: NamedField, path: readonly Name[]): void {
    const { naming } = this.#scope.binding
    const declared = pathOf(field)
    const spelled = declared.map((wire, depth) => {
      if (naming === 'declared') return wire
      const isOwn = depth === declared.length - 1
      return path[depth]?.name ?? (isOwn ? nameOf(field, naming) : wire)
    })
    this.#add(selectedAt(field.name, spelled))
  }

  #add(one: Selected): void {
    if (!this.#select.has(one.field)) this.#select.set(one.field, one)
  }

  #addNamedValue(value: NamedValue, path: readonly Name[]): void {
    this.#selected.add(value.name)
    const isDeclared = this.#scope.binding.naming === 'declared'
    const names = path.map(({ name }) => name)
    this.#addComputed({
      value: value.value,
      as: isDeclared ? value.name : (names.at(-1) ?? value.name),
      ...(value.within === undefined
        ? {}
        : { within: isDeclared ? value.within : names.slice(0, -1) }),
    })
  }

  #addComputed(one: Computed): void {
    const name = [...(one.within ?? []), one.as].join('/').toLowerCase()
    if (!this.#computed.has(name)) this.#computed.set(name, one)
  }
}

function allComputed(known: Frame['computed']): readonly Computed[] {
  return [...known.values()].map(({ as, name, ...rest }) => ({ ...rest, as: as ?? name }))
}

function defaultsOf(naming: Naming, { resource, rights }: View): readonly Selected[] {
  return fieldsOf(resource)
    .all.filter(({ onlyAsked, right }) => !onlyAsked && (right === undefined || rights.has(right)))
    .map((field) => {
      const as = nameOf(field, naming)
      const { name, within } = field
      return within === undefined
        ? { field: name, as }
        : { field: name, as, within: within.map(({ wire }) => wire) }
    })
}

/** Omits `within` where it is empty, as it is for most fields. */
function selectedAt(field: string, spelled: readonly string[]): Selected {
  const as = spelled.at(-1) ?? ''
  return spelled.length === 1 ? { field, as } : { field, as, within: spelled.slice(0, -1) }
}

export function nameOf({ wire, plain }: NamedField, naming: Naming): string {
  return naming === 'declared' ? wire : (plain ?? wire)
}
