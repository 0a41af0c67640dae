// Build of the server: its modules and packages in a few files of dist/ (ADR 0001).
import { basename, dirname, join, relative } from 'node:path'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const root = join(import.meta.dirname, '..')
const sources = join(root, 'src')
const outDir = join(root, 'dist')

/** All files are at the top of dist/: a program of a process or thread gets a file there, other paths lead from there. */
function urlsFromOutput(): Plugin {
  return {
    name: 'urls-from-output',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(sources)) return null
      const moved = code.replace(/new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g, (_, path: string) => {
        const target = join(dirname(id), path)
        if (!target.startsWith(sources)) return `new URL('${relative(outDir, target)}', import.meta.url)`
        const fileName = `${basename(target, '.ts')}.js`
        this.emitFile({ type: 'chunk', id: target, fileName })
        return `new URL('./${fileName}', import.meta.url)`
      })
      return { code: moved, map: null }
    },
  }
}

/** One file of what a query process loads, and one of what a server loads besides; the bundler would make sixty. */
function groupOf(): Rolldown.CodeSplittingNameFunction {
  const loadedWith = new Map<string, ReadonlySet<string>>()
  return (id, graph) => {
    // Who loads the file must not run a program.
    if (graph.getModuleInfo(id)?.isEntry === true) return null
    for (const [name, starts] of Object.entries(groups)) {
      const loaded = loadedWith.get(name) ?? importsOf(starts, graph)
      loadedWith.set(name, loaded)
      if (loaded.has(id)) return name
    }
    return null
  }
}

const groups = { database: ['store/sqlite/query-process.ts'], server: ['main.ts', 'cli/commands/serve.ts'] }

function importsOf(
  starts: readonly string[],
  graph: Pick<Rolldown.PluginContext, 'getModuleInfo'>,
): ReadonlySet<string> {
  const found = new Set(starts.map((path) => join(sources, path)))
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

const nativePackages = ['@node-rs/argon2', 'better-sqlite3']

/** What Fastify loads for the schemas of routes, which have none, and for tests. */
const unusedPackages = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

export default defineConfig({
  root,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: 'node22',
    // Stack traces name the sources, which the package does not contain.
    sourcemap: true,
    license: { fileName: 'licenses.json' },
    rolldownOptions: {
      input: { main: join(sources, 'main.ts'), 'client/client': join(sources, 'client/client.ts') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        // V8 keeps the text, and one that is not Latin-1 in two bytes a character.
        charset: 'ascii',
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        sourcemapExcludeSources: true,
        codeSplitting: { groups: [{ debugName: 'loaded together', name: groupOf() }] },
      },
    },
  },
  ssr: { noExternal: true, external: [...nativePackages, ...unusedPackages] },
  plugins: [urlsFromOutput()],
})
