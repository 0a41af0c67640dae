// The Norwegian wire names, from their two sources: the resource descriptions and the glossary.
import { readdirSync } from 'node:fs'
import { resultNames } from '../../src/engine/formats/write/wire-names.ts'
import type { Resource } from '../../src/engine/model/resource.ts'
import { serviceSchema } from '../../src/model/service-schema.ts'
import { tableUnder, backtickedTerms } from './repository.ts'

const modelFolder = new URL('../../src/model/', import.meta.url)
const modelFiles = readdirSync(modelFolder).filter((name) => !name.endsWith('.test.ts'))

/** All resources of `model/`; also those that the service does not publish as a set. */
const resources: readonly Resource[] = (
  await Promise.all(modelFiles.map((name): Promise<Record<string, unknown>> => import(new URL(name, modelFolder).href)))
).flatMap((module) => Object.values(module).filter(isResource))

function isResource(exported: unknown): exported is Resource {
  return typeof exported === 'object' && exported !== null && 'fields' in exported
}

/** The wire names of the descriptions: resources, fields in every spelling, and relations. */
export function describedNames(): string[] {
  return [
    ...new Set([
      ...resources.flatMap(({ wire, fields }) => [
        wire,
        ...Object.values(fields).flatMap((field) => [...spellingsOf(field), ...(field.aliases ?? [])]),
      ]),
      ...serviceSchema.relations.flatMap(spellingsOf),
    ]),
  ]
}

function spellingsOf({ wire, plain }: { wire: string; plain?: string }): string[] {
  return [wire, ...(plain === undefined ? [] : [plain])]
}

/** Those, the names around a list of results, and the verbs; without words that English has too. */
export function wireNames(): string[] {
  const verbs = tableUnder('docs/glossary.md', 'Verbs').flatMap(([wire = '']) => backtickedTerms(wire))
  return [...describedNames(), ...Object.values(resultNames), ...verbs].filter((word) => !alsoEnglish.has(word))
}

const alsoEnglish = new Set(['Id', 'id', 'For', 'Av', 'Handling', 'Status'])
