// Dependency rules: what ARCHITECTURE.md says of the modules holds for every file in src/.
import { basename, dirname, join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'
import { filesUnder, tableUnder, textOf, backtickedTerms } from './support/repository.ts'
import { wireNames } from './support/wire-names.ts'

interface Source {
  /** From `src/`. */
  readonly path: string
  /** The folder, two levels in `engine/`; or the file itself at the top. */
  readonly module: string
  readonly code: string
  readonly comments: string
  /** Paths of the files that it imports, from `src/`. */
  readonly imported: readonly string[]
  /** Packages and Node modules. */
  readonly packages: readonly string[]
}

const strings = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/
const comments = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
const stringsAndComments = new RegExp(`(?<string>${strings.source})|${comments.source}`, 'g')
const anyString = new RegExp(strings, 'g')
const importStatements = /^import\b.*?\bfrom\b/gms
const imports = /(?:\bfrom|\bimport\(|\bimport|\bnew URL\((?='\.\/))\s*'(?<address>[^']+)'/g

function moduleOf(path: string): string {
  const [folder = '', inner = ''] = path.split('/')
  return folder === 'engine' ? `${folder}/${inner}` : folder
}

function read(path: string): Source {
  const text = textOf(path)
  const comment: string[] = []
  const code = text.replace(stringsAndComments, (found, string) => {
    if (string === undefined) comment.push(found)
    return string ?? ''
  })
  const addresses = [...code.matchAll(imports)].map(({ groups }) => groups?.address ?? '')
  const isOurs = (address: string) => address.startsWith('.')
  return {
    path: path.replace('src/', ''),
    module: moduleOf(path.replace('src/', '')),
    code,
    comments: comment.join('\n'),
    imported: addresses.filter(isOurs).map((address) => join(dirname(path), address).replace('src/', '')),
    packages: addresses.filter((address) => !isOurs(address)),
  }
}

const sources = filesUnder('src')
  .filter((path) => /\.(ts|js)$/.test(path) && !path.endsWith('.test.ts'))
  .map(read)

/** The files whose code matches, except the named files and modules. */
function matchingOutside(pattern: RegExp, ...exempt: readonly string[]): string[] {
  return sources
    .filter(({ path, module }) => !exempt.includes(path) && !exempt.includes(module))
    .filter(({ code }) => pattern.test(code))
    .map(({ path }) => path)
}

const rows = tableUnder('ARCHITECTURE.md', 'Modules and dependency rules').map(([module = '', , imported = '']) => ({
  module: bare(backtickedTerms(module)[0] ?? ''),
  imported,
}))

function bare(module: string): string {
  return module.replace(/\/$/, '')
}

/** What the table allows a module to import. */
const allowed = new Map(
  rows.map(({ module, imported }, index) => {
    const above = rows.slice(0, index).map((row) => row.module)
    const named = backtickedTerms(imported).map(bare)
    const isEvery = imported.startsWith('every module above')
    return [module, isEvery ? above.filter((one) => !named.includes(one)) : named]
  }),
)

describe('the modules of src/', () => {
  test('are those of the table in ARCHITECTURE.md, and no others', () => {
    const found = new Set(sources.map(({ module }) => module))
    found.delete('dagsverk.js')
    expect([...found].sort()).toEqual([...allowed.keys()].sort())
  })

  test('may import only modules above them, so that no cycle is possible', () => {
    const names = [...allowed.keys()]
    for (const [module, imported] of allowed)
      for (const one of imported) expect(names.indexOf(one), `${module} → ${one}`).toBeLessThan(names.indexOf(module))
  })

  test('import only what the table allows', () => {
    const violations = sources
      .filter(({ module }) => module !== 'dagsverk.js')
      .flatMap(({ path, module, imported }) => {
        const modules = ['errors', module, ...(allowed.get(module) ?? [])]
        return imported.filter((one) => !modules.includes(moduleOf(one))).map((one) => `${path} → ${one}`)
      })
    expect(violations).toEqual([])
  })

  test('have no file that nothing imports', () => {
    const imported = new Set(sources.flatMap((source) => source.imported))
    const entries = new Set(['dagsverk.js', 'main.ts', 'client/client.ts'])
    const unused = sources.filter(({ path }) => !entries.has(path) && !imported.has(path))
    expect(unused.map(({ path }) => path)).toEqual([])
  })

  test('do not import main.ts, which dagsverk.js starts', () => {
    const importers = sources.filter(({ imported }) => imported.includes('main.ts'))
    expect(importers.map(({ path }) => path)).toEqual([])
  })
})

describe('side effects', () => {
  const pure = ['lib', 'model', 'engine/model', 'engine/odata', 'engine/planner', 'engine/sql', 'engine/formats']

  test('the client uses fetch and nothing of Node, and imports only types from the model', () => {
    const clients = sources.filter(({ module }) => module === 'client')
    expect(clients.flatMap(({ packages }) => packages)).toEqual([])
    const ofModel = clients.flatMap(({ code }) => code.match(/^import (?!type).*\/model\//gm) ?? [])
    expect(ofModel).toEqual([])
  })

  test('pure modules import no Node module that has side effects', () => {
    const harmless = new Set(['node:buffer', 'node:net', 'node:string_decoder', 'saxes', 'csv-parse', 'kysely'])
    const taken = sources
      .filter(({ module }) => pure.includes(module))
      .flatMap(({ path, packages }) => packages.filter((one) => !harmless.has(one)).map((one) => `${path} → ${one}`))
    expect(taken).toEqual([])
  })

  test('only config/read-config.ts reads the environment', () => {
    expect(matchingOutside(/\bprocess\.env\b/, 'config/read-config.ts')).toEqual([])
  })

  test('only main.ts reads the clock, and none calls Math.random', () => {
    const clock = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b/
    expect(matchingOutside(clock, 'main.ts')).toEqual([])
    expect(matchingOutside(/\bMath\.random\b/)).toEqual([])
  })

  test('only the entry point prints and ends the process', () => {
    const printing = /\bconsole\.|\bprocess\.(stdout|stderr|exit)/
    expect(matchingOutside(printing, 'main.ts', 'dagsverk.js')).toEqual([])
  })
})

describe('single points of access', () => {
  const usersOf = (name: RegExp): Set<string> =>
    new Set(sources.filter(({ packages }) => packages.some((one) => name.test(one))).map((one) => one.module))

  test('only store/ imports the database drivers, and engine/sql/ the query builder', () => {
    expect(usersOf(/^(better-sqlite3|pg)$/)).toEqual(new Set(['store']))
    expect(usersOf(/^kysely$/)).toEqual(new Set(['store', 'engine/sql']))
  })

  test('only store/ and engine/sql/ contain SQL', () => {
    const sql =
      /['"`]\s*(select\s[^'"`]*\sfrom|insert into|update \w+ set|delete from|create (table|index)|begin|commit|rollback|pragma)\b/i
    expect(matchingOutside(sql, 'store', 'engine/sql')).toEqual([])
  })

  test('only http/ imports the framework', () => {
    expect(usersOf(/^fastify/)).toEqual(new Set(['http']))
  })

  test('only auth/caller.ts makes a CompanyId', () => {
    expect(matchingOutside(/\bas\s+CompanyId\b/, 'auth/caller.ts')).toEqual([])
  })

  test('type assertions are used only where the compiler cannot know better', () => {
    const assertion = /[\w)\]}] as (?!const\b)\w/
    const exempt = new Set([
      'engine/model/resource.ts',
      'engine/planner/plan-shape.ts',
      'auth/caller.ts',
      'client/line.ts',
      'http/listening-sockets.ts',
      'store/tables/field-columns.ts',
      'store/sqlite/connection.ts',
      'store/sqlite/thread-program.ts',
      'store/sqlite/thread-transaction.ts',
      'store/postgres/result-columns.ts',
    ])
    const asserting = sources
      .filter(({ path, module }) => module !== 'lib' && !exempt.has(path))
      .filter(({ code }) => assertion.test(code.replace(importStatements, '').replace(anyString, '')))
    expect(asserting.map(({ path }) => path)).toEqual([])
  })

  test('Norwegian wire names are used only in model/, api/routes.ts and the paths of app/contract/', () => {
    const norwegian = new RegExp(`(?<!\\w)(${wireNames().join('|')})(?!\\w)`)
    // Exceptions: error messages and pages, the generated reference, printed examples, and the client,
    // which is on the other side of the wire.
    const exempt = [
      'model',
      'api/routes.ts',
      'api/error-page.ts',
      'errors',
      'engine/formats/write/wire-names.ts',
      'api/openapi/errors.ts',
      'server',
      'cli',
      'client',
    ]
    expect(matchingOutside(norwegian, ...exempt, 'app/contract/endpoints.ts', 'app/contract/screens.ts')).toEqual([])
  })

  test('firma and passord are used only where credentials are read', () => {
    const prose = ['errors', 'notifications/mail/texts.ts']
    expect(matchingOutside(/(?<!\w)(firma|passord)(?!\w)/, 'auth', 'api', 'cli', ...prose)).toEqual([])
  })
})

describe('start', () => {
  const staticImport = /^(?:import|export)\b(?! type\b)[^;'"`]*?\bfrom '(?<address>[^']+)'/gm
  const byPath = new Map(sources.map((source) => [source.path, source]))

  /** The packages that are loaded together with a file; `import(…)` loads its module later. */
  const packagesOf = (path: string, seen = new Set<string>()): string[] => {
    const source = byPath.get(path)
    if (source === undefined || seen.has(path)) return []
    seen.add(path)
    const addresses = [...source.code.matchAll(staticImport)].map((one) => one[1] ?? '')
    return addresses.flatMap((address) =>
      address.startsWith('.') ? packagesOf(join(dirname(path), address), seen) : [address],
    )
  }

  test('a server on SQLite without mail and single sign-on loads only the packages that it uses', () => {
    const packages = ['main.ts', 'cli/commands/serve.ts'].flatMap((path) => packagesOf(path))
    const loaded = new Set(packages.filter((one) => !one.startsWith('node:')))
    expect([...loaded].sort()).toEqual([
      '@commander-js/extra-typings',
      'better-sqlite3',
      'csv-parse',
      'fastify',
      'kysely',
      'kysely/migration',
      'saxes',
    ])
  })

  test('a server does not load undici, as an import of node:http would', () => {
    const modules = ['main.ts', 'cli/commands/serve.ts'].flatMap((path) => packagesOf(path))
    expect(modules.filter((one) => /^(node:)?http$|^undici$/.test(one))).toEqual([])
  })

  test.each(['query-process', 'thread-program'])(
    'of the packages, %s loads only the driver of its database',
    (program) => {
      const packages = packagesOf(`store/sqlite/${program}.ts`)
      expect(new Set(packages.filter((one) => !one.startsWith('node:')))).toEqual(new Set(['better-sqlite3']))
    },
  )
})

describe('comments and file names', () => {
  test('every file begins with a comment', () => {
    const silent = sources.filter(({ path }) => !/^(\/\/|#!.*\n\/\/) \S/.test(textOf(`src/${path}`)))
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  test('no file name is generic', () => {
    const nothing = /^(utils?|helpers?|common|misc|core|services?|index)\./
    expect(sources.filter(({ path }) => nothing.test(basename(path)))).toEqual([])
  })

  test('there are no TODO comments', () => {
    const putOff = sources.filter((one) => /\b(TODO|FIXME|XXX)\b/.test(one.comments))
    expect(putOff.map(({ path }) => path)).toEqual([])
  })

  test('a comment cites only public sources: the interface, a decision, a standard', () => {
    const citing = sources.filter((one) => /\b(contract|trust)(:| \d)/.test(one.comments))
    expect(citing.map(({ path }) => path)).toEqual([])
  })

  test('no file contains paths of the machine that it was written on', () => {
    const somebodys = /(?<![\w.])\/(home|Users|root|work)\/\w/
    const ours = ['src', 'tests', 'docs', 'tools', 'bench'].flatMap(filesUnder)
    const pages = ['README.md', 'ARCHITECTURE.md', 'STYLE.md', 'CHANGELOG.md', 'package.json']
    expect([...ours, ...pages].filter((path) => somebodys.test(textOf(path)))).toEqual([])
  })
})

describe('functions', () => {
  test('at the top level of a file, functions are declarations unless a type is annotated', () => {
    const files = ['src', 'web', 'tests', 'bench', 'tools']
      .flatMap(filesUnder)
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    const arrows = files.flatMap((path) =>
      parseAst(textOf(path), { lang: path.endsWith('x') ? 'tsx' : 'ts' })
        .body.map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
        .flatMap((node) => (node?.type === 'VariableDeclaration' && node.kind === 'const' ? node.declarations : []))
        .filter(({ id, init }) => init?.type === 'ArrowFunctionExpression' && !isTyped(id))
        .map(({ id }) => `${path}: ${id.type === 'Identifier' ? id.name : ''}`),
    )
    expect(arrows).toEqual([])
  })
})

/** Words of a private vocabulary: the terms to use instead are in docs/glossary.md. */
const bannedWords = `
  administered begun deed depot desk dice door doorkeeper errand fate foldable gatekeeper grave heardOf house houses inHouse
  judged knock manner manners minting misbehave oddities offerAgain onlooker otherHalf passage performing planted printer room
  rooms seal settlement sitDown spoken stranger strangers stretch stretches takeOver tells thereupon torn trespass twin
  unattended unfolded unknowable visit ways worlds
`
  .trim()
  .split(/\s+/)

describe('names', () => {
  test('every type of src and web has a name of its own', () => {
    const declared = [...filesUnder('src'), ...filesUnder('web')]
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
      .flatMap((path) => {
        const found = textOf(path).matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm)
        return [...new Set([...found].map(([, name = '']) => name))].map((name) => ({ name, path }))
      })
    const repeated = [...Map.groupBy(declared, ({ name }) => name)].filter(([, files]) => files.length > 1)
    expect(repeated).toEqual([])
  })

  test('no identifier contains a banned word', () => {
    const banned = new Set(bannedWords.map((word) => wordsOf(word).join(' ')))
    const longest = Math.max(...[...banned].map((word) => word.split(' ').length))
    const found = ['src', 'web', 'tests', 'bench', 'tools']
      .flatMap(filesUnder)
      .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('tests/clients/odata2ts/'))
      .filter((path) => path !== 'tests/architecture.test.ts')
      .flatMap((path) =>
        identifiersIn(textOf(path))
          .filter((name) => wordRuns(wordsOf(name), longest).some((run) => banned.has(run)))
          .map((name) => `${path}: ${name}`),
      )
    expect(found).toEqual([])
  })
})

function identifiersIn(text: string): string[] {
  const code = text.replace(stringsAndComments, ' ')
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g) ?? [])]
}

/** `findAnomalies` → find, anomalies. */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z\d]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())
}

/** All runs of up to `longest` neighbouring words. */
function wordRuns(words: readonly string[], longest: number): string[] {
  return words.flatMap((_, start) =>
    Array.from({ length: longest }, (_, more) => words.slice(start, start + more + 1).join(' ')),
  )
}

function isTyped(id: object): boolean {
  return 'typeAnnotation' in id && id.typeAnnotation !== null
}
