// Query options of the explorer, and code examples in several languages.
import { addressOf } from '../../api/client.ts'

export const exploredSets = [
  'Omsetning',
  'OmsetningLogg',
  'Ansatt',
  'Avdeling',
  'Prosjekt',
  'Anlegg',
  'Transaksjon',
] as const

export type ExploredSet = (typeof exploredSets)[number]

export const optionNames = ['$select', '$filter', '$expand', '$orderby', '$top'] as const

export type OptionName = (typeof optionNames)[number]

export type Options = Readonly<Partial<Record<OptionName, string | undefined>>>

/** Parses an error target like `$filter:17`. */
export function placeIn(target: string | null): { option: string; column: number } | null {
  const found = /^(?<option>\$\w+):(?<column>\d+)$/.exec(target ?? '')?.groups
  return found === undefined
    ? null
    : { option: found['option'] ?? '', column: Number(found['column']) }
}

export const languages = [
  'curl',
  'PowerShell',
  'Python',
  'C#',
  'TypeScript',
  'Power Query',
] as const

export type CodeLanguage = (typeof languages)[number]

interface Question {
  /** URL of the set, without options. */
  readonly base: string
  /** URL with options. */
  readonly address: string
  readonly givenOptions: readonly (readonly [OptionName, string])[]
  readonly key: string
}

/** A program that runs the query with an API key. */
export function codeFor(
  language: CodeLanguage,
  set: ExploredSet,
  options: Options,
  key: string,
): string {
  const base = `${window.location.origin}/odata/${set}`
  const givenOptions = optionNames.flatMap((name) => {
    const value = options[name] ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  return programs[language]({ base, address: base + addressOf(options), givenOptions, key })
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

const programs: Readonly<Record<CodeLanguage, (question: Question) => string>> = {
  curl: ({ base, givenOptions, key }) =>
    [
      `curl -G -H 'tb-key: ${key}' '${base}'`,
      ...givenOptions.map(([name, value]) => `  --data-urlencode ${shellText(`${name}=${value}`)}`),
    ].join(' \\\n'),
  PowerShell: ({ address, key }) =>
    `$key = '${key}'
$answer = Invoke-RestMethod -Headers @{ 'tb-key' = $key } -Uri '${address.replaceAll("'", "''")}'
$answer.value | Format-Table`,
  Python: ({ base, givenOptions, key }) =>
    `import json, urllib.parse, urllib.request

query = urllib.parse.urlencode({
${givenOptions.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},\n`).join('')}})
request = urllib.request.Request(
    ${quoted(base)} + "?" + query,
    headers={"tb-key": "${key}"},
)
with urllib.request.urlopen(request) as answer:
    for row in json.load(answer)["value"]:
        print(row)`,
  'C#': ({ address, key }) =>
    `using var client = new HttpClient();
client.DefaultRequestHeaders.Add("tb-key", "${key}");
var json = await client.GetStringAsync(
    ${quoted(address)});`,
  TypeScript: ({ address, key }) =>
    `const answer = await fetch(
  ${quoted(address)},
  { headers: { 'tb-key': '${key}' } },
)
const { value } = await answer.json()`,
  'Power Query': ({ address }) =>
    `let
    Source = OData.Feed(
        "${address.replaceAll('"', '""')}",
        null, [Implementation = "2.0"])
in
    Source`,
}
