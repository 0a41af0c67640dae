// Which fields are returned, each once, and under which names.
import type { SelectItem } from '#odata/syntax.ts'
import { notSupported, type Binding } from '#plan/binding.ts'
import { fieldNamed, fieldsOf, relationNamed, type NamedField, type View } from '#plan/names.ts'
import type { Selected, SetPlan } from '#plan/read-plan.ts'

/**
 * Without `$select`, and for `*`: every field that need not be asked for and that the caller may see, in the
 * order of the model. A relation that is named brings no more than its name into the context.
 */
export const bindSelect = (
  binding: Binding,
  view: View,
  items: readonly SelectItem[] | undefined,
): Pick<SetPlan, 'select' | 'selected'> => {
  if (items === undefined) return { select: defaultsOf(binding, view), selected: null }
  const select = new Map<string, Selected>()
  const selected = new Set<string>()
  const add = (one: Selected) => {
    if (!select.has(one.field)) select.set(one.field, one)
  }
  for (const { path, options } of items) {
    const [name, beyond] = path
    if (name === undefined) continue
    if (beyond !== undefined || Object.keys(options).length > 0)
      throw notSupported('selectingInside', binding.option('select'), beyond ?? name)
    const relation = name.name === '*' ? undefined : relationNamed(view, name)
    if (relation !== undefined) selected.add(relation.wire)
    else if (name.name === '*') {
      selected.add('*')
      for (const one of defaultsOf(binding, view)) add(one)
    } else {
      const field = fieldNamed(view, name, binding.option('select'))
      selected.add(field.wire)
      add({ field: field.name, as: binding.naming === 'declared' ? field.wire : name.name })
    }
  }
  return { select: [...select.values()], selected: [...selected] }
}

const defaultsOf = ({ naming }: Binding, { resource, rights }: View): readonly Selected[] =>
  fieldsOf(resource)
    .all.filter(({ onlyAsked, right }) => !onlyAsked && (right === undefined || rights.has(right)))
    .map((field) => ({ field: field.name, as: nameOf(field, naming) }))

const nameOf = ({ wire, plain }: NamedField, naming: Binding['naming']): string =>
  naming === 'declared' ? wire : (plain ?? wire)
