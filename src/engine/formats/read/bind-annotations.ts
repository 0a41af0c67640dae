// Bind annotations: references by the URL of the related record (OData JSON 4.0, 8.5).
import { message } from '../../../errors/messages.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import type { RecordKey, Resource } from '../../model/resource.ts'
import type { Relation } from '../../model/schema.ts'
import { InvalidFieldValue, invalidType } from './read-value.ts'
import { InvalidText, type BodyValue } from './row-sink.ts'

/** What the bind annotations of a body can name, and its `@odata.type`. */
export interface BindRules {
  /** The qualified name of the type of the rows. */
  readonly typeName: string
  /** The relations of the rows; those to one record have a single foreign key. */
  readonly relations: readonly Relation[]
  /** The key of the record with this URL; null for anything but the URL of a record of `target`. */
  readonly parseReference: (url: string, target: Resource) => RecordKey | null
}

/** `Avdeling@odata.bind`, or `Avdeling@bind` of OData 4.01. */
export function isBindAnnotation(name: string): boolean {
  return /@(?:odata\.)?bind\s*$/i.test(name)
}

/** Case-insensitive. */
export function findBoundRelation({ relations }: BindRules, annotation: string): Relation | undefined {
  const name = relationNameOf(annotation).toLowerCase()
  return relations.find(({ wire }) => wire.toLowerCase() === name)
}

/** Whether a member holds related records, `Avdeling`, or changes of them, `Ansatte@delta`: a deep insert or update. */
export function isDeepMember(rules: BindRules, name: string): boolean {
  const isPlain = !name.includes('@') || /@(?:odata\.)?delta\s*$/i.test(name)
  return isPlain && findBoundRelation(rules, name) !== undefined
}

/** The suggestion for an annotation whose relation is unknown. */
export function suggestBindAnnotation({ relations }: BindRules, annotation: string): string | undefined {
  const toOne = relations.filter(({ isMany }) => isMany !== true).map(({ wire }) => wire)
  const suggestion = closestMatch(relationNameOf(annotation), toOne)
  return suggestion === undefined ? undefined : `${suggestion}@odata.bind`
}

export function parseBoundReference(
  value: BodyValue,
  { of, to, on, isMany }: Relation,
  { parseReference }: BindRules,
): { readonly foreignKey: string; readonly key: RecordKey | null } | InvalidFieldValue {
  const [[foreignKey, targetField] = ['', '']] = Object.entries(on)
  if (isMany === true)
    return new InvalidFieldValue('CollectionNotBindable', {
      set: to.wire,
      foreignKey: to.fields[targetField]?.wire ?? targetField,
    })
  if (value === null)
    return of.fields[foreignKey]?.optional === true
      ? { foreignKey, key: null }
      : new InvalidFieldValue('InvalidValue', { problem: message('isEmpty') })
  if (value instanceof InvalidText) return new InvalidFieldValue('InvalidCharacter', { character: value.character })
  if (typeof value !== 'string') return invalidType('aString', value)
  const key = parseReference(value, to)
  return key === null
    ? new InvalidFieldValue('InvalidValue', { problem: message('expectedUrlInSet', { set: to.wire }) })
    : { foreignKey, key }
}

function relationNameOf(annotation: string): string {
  return annotation.split('@', 1)[0] ?? ''
}
