// Which fields are returned, each once, under the names that the resource declares.
import { Fault } from '#faults.ts'
import { phrase } from '#phrases.ts'
import type { Resource } from '#model/resource.ts'
import type { Dialect } from '#odata/dialect.ts'
import { parseSelect } from '#odata/select.ts'
import { selectOption, targetAt } from '#odata/option.ts'
import type { Name, SelectItem } from '#odata/syntax.ts'
import { fieldNamed, fieldsOf, type NamedField } from '#plan/names.ts'
import type { Selected } from '#plan/read-plan.ts'

/** Without `$select`, and for `*`: every field that need not be asked for, in the order of the model. */
export const bindSelect = (
  resource: Resource,
  text: string | undefined,
  dialect: Dialect,
): readonly Selected[] => {
  const defaults = defaultsOf(resource)
  if (text === undefined) return defaults
  const selected = new Map<string, Selected>()
  for (const item of parseSelect(text, dialect)) {
    const name = soleName(item)
    const added =
      name.name === '*' ? defaults : [toSelected(fieldNamed(resource, name, selectOption))]
    for (const one of added) selected.set(one.field, one)
  }
  return [...selected.values()]
}

/** No field has fields of its own. */
const soleName = ({ path, options }: SelectItem): Name => {
  const [name, beyond] = path
  if (name === undefined) throw new Error('an item of $select without a name')
  if (beyond === undefined && Object.keys(options).length === 0) return name
  throw new Fault('NotSupported', {
    target: targetAt(selectOption, (beyond ?? name).column),
    says: { feature: phrase('selectingInside') },
  })
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
