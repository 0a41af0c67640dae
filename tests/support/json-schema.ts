// A JSON Schema validator for the keywords of our OpenAPI document; unknown keywords are errors.

/** The positions where a value violates its schema, and how; empty when valid. */
export function schemaProblems(value: unknown, schema: unknown, document: unknown, path = '$'): string[] {
  const problem = (says: string) => [`${path} ${says}: ${JSON.stringify(value)?.slice(0, 100)}`]
  return entriesOf(schema).flatMap(([keyword, rule]): string[] => {
    switch (keyword) {
      case '$ref':
        return schemaProblems(value, resolveReference(String(rule), document), document, path)
      case 'type':
        return listOf(rule).includes(typeOf(value)) || (typeOf(value) === 'integer' && listOf(rule).includes('number'))
          ? []
          : problem(`is not ${listOf(rule).join(' or ')}`)
      case 'enum':
        return listOf(rule).includes(value) ? [] : problem('is none of its values')
      case 'required':
        return listOf(rule)
          .filter((name) => !keysOf(value).includes(String(name)))
          .map((name) => `${path} lacks ${String(name)}`)
      case 'properties':
        return entriesOf(rule).flatMap(([name, inner]) =>
          keysOf(value).includes(name) ? schemaProblems(memberOf(value, name), inner, document, `${path}.${name}`) : [],
        )
      case 'additionalProperties':
        return keysOf(value)
          .filter((name) => !keysOf(memberOf(schema, 'properties')).includes(name))
          .flatMap((name) => {
            if (rule === false) return [`${path} has the additional property ${name}`]
            if (rule === true) return []
            return schemaProblems(memberOf(value, name), rule, document, `${path}.${name}`)
          })
      case 'items':
        return Array.isArray(value)
          ? value.flatMap((item, index) => schemaProblems(item, rule, document, `${path}[${index}]`))
          : []
      case 'anyOf':
      case 'oneOf': {
        const tries = listOf(rule).map((one) => schemaProblems(value, one, document, path))
        const matchingCount = tries.filter((problems) => problems.length === 0).length
        return matchingCount === 1 || (matchingCount > 1 && keyword === 'anyOf') ? [] : tries.flat()
      }
      case 'minimum':
        return typeof value === 'number' && value < Number(rule) ? problem('is too small') : []
      case 'maxItems':
        return Array.isArray(value) && value.length > Number(rule) ? problem('is too long') : []
      case 'minLength':
        return typeof value === 'string' && value.length < Number(rule) ? problem('is too short') : []
      case 'maxLength':
        return typeof value === 'string' && value.length > Number(rule) ? problem('is too long') : []
      case 'description':
      case 'x-enumDescriptions':
      case 'default':
      case 'format':
        return []
      default:
        throw new Error(`${path}: the keyword ${keyword} is not supported`)
    }
  })
}

/** The target of a reference like `#/components/schemas/Error`. */
export function resolveReference(reference: string, document: unknown): unknown {
  let found = document
  for (const name of reference.replace('#/', '').split('/')) found = memberOf(found, name)
  if (found === undefined) throw new Error(`${reference} does not resolve`)
  return found
}

export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

export function memberOf(value: unknown, name: string): unknown {
  return entriesOf(value).find(([key]) => key === name)?.[1]
}

function keysOf(value: unknown): string[] {
  return entriesOf(value).map(([key]) => key)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
