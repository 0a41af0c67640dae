// CSDL JSON document (OData CSDL JSON 4.01).
import { vocabularies, vocabularyUrl, type CsdlElement } from './capabilities.ts'
import type { ODataVersion } from '../../planner/record-format.ts'

export function csdlJson(namespace: string, schema: CsdlElement, odataVersion: ODataVersion): string {
  return JSON.stringify({
    $Version: odataVersion,
    $EntityContainer: `${namespace}.Container`,
    $Reference: references,
    [namespace]: schema,
  })
}

const references = Object.fromEntries(
  Object.entries(vocabularies).map(([alias, vocabulary]) => [
    vocabularyUrl(vocabulary, 'json'),
    { $Include: [{ $Namespace: vocabulary, $Alias: alias }] },
  ]),
)
