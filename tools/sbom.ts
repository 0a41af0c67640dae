// List of components: the packages that are installed with the package, and those in its bundles.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Component {
  readonly 'bom-ref': string
  readonly properties: readonly { readonly name: string }[]
}

interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

interface BundledPackage {
  readonly name: string
  readonly version: string
}

const developmentProperty = 'cdx:npm:package:development'
const options = ['--package-lock-only', '--sbom-format=cyclonedx']
const list = JSON.parse(execFileSync('npm', ['sbom', ...options], { encoding: 'utf8', maxBuffer: 100_000_000 }))
const components: readonly Component[] = list.components
const dependencies: readonly Dependency[] = list.dependencies
const bundled = ['dist/licenses.json', 'web/dist/licenses.json'].flatMap((path): BundledPackage[] =>
  JSON.parse(readFileSync(path, 'utf8')),
)
// The viewer of the API reference is one file, which its package has bundled.
const viewer = components.filter((one) => one['bom-ref'].startsWith('@scalar/fastify-api-reference@'))
const shipped = new Set([
  list.metadata.component['bom-ref'],
  ...components.filter((one) => !isForDevelopment(one)).map((one) => one['bom-ref']),
  ...bundled.map(({ name, version }) => `${name}@${version}`),
  ...viewer.map((one) => one['bom-ref']),
])
const report = {
  ...list,
  components: components
    .filter((one) => shipped.has(one['bom-ref']))
    .map((one) => ({ ...one, properties: one.properties.filter(({ name }) => name !== developmentProperty) })),
  dependencies: dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => shipped.has(one)) })),
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)

function isForDevelopment({ properties }: Component): boolean {
  return properties.some(({ name }) => name === developmentProperty)
}
