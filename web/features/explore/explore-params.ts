// Query options of the explorer, and code examples in several languages.
import type { exploredSets } from '../../../src/app/contract/screens.ts'
import { queryString, RequestError } from '../../api/client.ts'

export type ExploredSet = (typeof exploredSets)[number]

export const optionNames = ['$select', '$filter', '$expand', '$orderby', '$top'] as const

export type ExploreOption = (typeof optionNames)[number]

export type ExploreOptions = Readonly<Partial<Record<ExploreOption, string | undefined>>>

/** Where in an option the error is: its target is like `$filter:17`. */
export function parseErrorPosition(error: Error | null): { option: string; column: number } | null {
  const target = error instanceof RequestError ? error.target : null
  const found = /^(?<option>\$\w+):(?<column>\d+)$/.exec(target ?? '')?.groups
  return found === undefined ? null : { option: found['option'] ?? '', column: Number(found['column']) }
}

export const languages = ['curl', 'PowerShell', 'Python', 'C#', 'TypeScript', 'Power Query'] as const

export type CodeLanguage = (typeof languages)[number]

interface CodeExample {
  /** URL of the set, without options. */
  readonly base: string
  /** URL with options. */
  readonly url: string
  readonly givenOptions: readonly (readonly [ExploreOption, string])[]
  readonly key: string
}

/** A program that runs the query with an API key. */
export function generateCode(language: CodeLanguage, set: ExploredSet, options: ExploreOptions, key: string): string {
  const baseUrl = `${window.location.origin}/odata/${set}`
  const givenOptions = optionNames.flatMap((name) => {
    const value = options[name] ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  return generators[language]({ base: baseUrl, url: baseUrl + queryString(options), givenOptions, key })
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function quoteString(text: string): string {
  return JSON.stringify(text)
}

const generators: Readonly<Record<CodeLanguage, (question: CodeExample) => string>> = {
  curl: ({ base, givenOptions, key }) =>
    [
      `curl -G -H 'tb-key: ${key}' '${base}'`,
      ...givenOptions.map(([name, value]) => `  --data-urlencode ${quoteShell(`${name}=${value}`)}`),
    ].join(' \\\n'),
  PowerShell: ({ url, key }) =>
    `$key = '${key}'
$answer = Invoke-RestMethod -Headers @{ 'tb-key' = $key } -Uri '${url.replaceAll("'", "''")}'
$answer.value | Format-Table`,
  Python: ({ base, givenOptions, key }) =>
    `import json, urllib.parse, urllib.request

query = urllib.parse.urlencode({
${givenOptions.map(([name, value]) => `    ${quoteString(name)}: ${quoteString(value)},\n`).join('')}})
request = urllib.request.Request(
    ${quoteString(base)} + "?" + query,
    headers={"tb-key": "${key}"},
)
with urllib.request.urlopen(request) as answer:
    for row in json.load(answer)["value"]:
        print(row)`,
  'C#': ({ url, key }) =>
    `using var client = new HttpClient();
client.DefaultRequestHeaders.Add("tb-key", "${key}");
var json = await client.GetStringAsync(
    ${quoteString(url)});`,
  TypeScript: ({ url, key }) =>
    `const answer = await fetch(
  ${quoteString(url)},
  { headers: { 'tb-key': '${key}' } },
)
const { value } = await answer.json()`,
  'Power Query': ({ url }) =>
    `let
    Source = OData.Feed(
        "${url.replaceAll('"', '""')}",
        null, [Implementation = "2.0"])
in
    Source`,
}
