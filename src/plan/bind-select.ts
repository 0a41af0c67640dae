// Which fields are returned, each once, under the names that the resource declares.
import type { Resource } from '#model/resource.ts'
import { parseSelect } from '#odata/select.ts'
import { selectOption } from '#odata/option.ts'
import { fieldNamed, fieldsOf, type NamedField } from '#plan/names.ts'
import type { Selected } from '#plan/read-plan.ts'

/** Without `$select`, and for `*`: every field that need not be asked for, in the order of the model. */
export const bindSelect = (resource: Resource, text: string | undefined): readonly Selected[] => {
  const defaults = defaultsOf(resource)
  if (text === undefined) return defaults
  const selected = new Map<string, Selected>()
  for (const item of parseSelect(text)) {
    const added =
      item.name === '*' ? defaults : [toSelected(fieldNamed(resource, item, selectOption))]
    for (const one of added) selected.set(one.field, one)
  }
  return [...selected.values()]
}

const toSelected = ({ name, wire }: NamedField): Selected => ({ field: name, as: wire })

const defaultsOf = (resource: Resource): readonly Selected[] => {
  let defaults = known.get(resource)
  if (defaults === undefined) {
    const always = fieldsOf(resource).all.filter((field) => !field.onlyAsked)
    known.set(resource, (defaults = always.map(toSelected)))
  }
  return defaults
}

const known = new WeakMap<Resource, readonly Selected[]>()
