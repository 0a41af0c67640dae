// Which fields are returned, each once, and under which names.
import type { SelectItem } from '#odata/syntax.ts'
import { notSupported } from '#plan/binding.ts'
import { wayOf, type Frame } from '#plan/frame.ts'
import { fieldNamed, fieldsOf, relationNamed, type NamedField, type View } from '#plan/names.ts'
import type { Computed, Selected, SetPlan } from '#plan/read-plan.ts'

type Naming = Frame['binding']['naming']

/**
 * Without `$select`, and for `*`: every field that need not be asked for and that the caller may see, in the
 * order of the model, and what is computed. A relation that is named brings no more than its name into the context.
 */
export const bindSelect = (
  frame: Frame,
  items: readonly SelectItem[] | undefined,
): Pick<SetPlan, 'select' | 'selected' | 'computed'> => {
  const { binding, option, computed: known } = frame
  const { view } = frame.record
  const all = [...known.values()].map(({ as, name, ...rest }) => ({ ...rest, as: as ?? name }))
  if (items === undefined)
    return { select: defaultsOf(binding.naming, view), selected: null, computed: all }
  const select = new Map<string, Selected>()
  const selected = new Set<string>()
  const computed = new Map<string, Computed>()
  const add = (one: Selected) => {
    if (!select.has(one.field)) select.set(one.field, one)
  }
  const compute = (one: Computed) => {
    const name = [...(one.within ?? []), one.as].join('/').toLowerCase()
    if (!computed.has(name)) computed.set(name, one)
  }
  for (const { path, options } of items) {
    const [name, beyond] = path
    if (name === undefined) continue
    const value = known.get(wayOf(path))
    if ((beyond !== undefined && value === undefined) || Object.keys(options).length > 0)
      throw notSupported('selectingInside', option, beyond ?? name)
    const relation = name.name === '*' ? undefined : relationNamed(view, name)
    if (relation !== undefined) selected.add(relation.wire)
    else if (name.name === '*') {
      selected.add('*')
      for (const one of defaultsOf(binding.naming, view)) add(one)
      for (const one of all) compute(one)
    } else if (value !== undefined) {
      selected.add(value.name)
      const last = beyond ?? name
      const within = path.slice(0, -1).map((one) => one.name)
      const isDeclared = binding.naming === 'declared'
      compute({
        value: value.value,
        as: isDeclared ? value.name : last.name,
        ...(value.within === undefined ? {} : { within: isDeclared ? value.within : within }),
      })
    } else {
      const field = fieldNamed(view, name, option)
      selected.add(field.wire)
      add({ field: field.name, as: binding.naming === 'declared' ? field.wire : name.name })
    }
  }
  return {
    select: [...select.values()],
    selected: [...selected],
    computed: [...computed.values()],
  }
}

const defaultsOf = (naming: Naming, { resource, rights }: View): readonly Selected[] =>
  fieldsOf(resource)
    .all.filter(({ onlyAsked, right }) => !onlyAsked && (right === undefined || rights.has(right)))
    .map((field) => ({ field: field.name, as: nameOf(field, naming) }))

export const nameOf = ({ wire, plain }: NamedField, naming: Naming): string =>
  naming === 'declared' ? wire : (plain ?? wire)
