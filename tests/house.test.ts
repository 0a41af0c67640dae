// The law of the house: what ARCHITECTURE.md says of the rooms holds for every file in src/.
import { basename, dirname, join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'
import { filesUnder, tableUnder, textOf, ticked } from './_support/repository.ts'
import { wireWords } from './_support/wire-words.ts'

interface Source {
  /** From `src/`. */
  readonly path: string
  /** The folder, or the file itself where it stands in none. */
  readonly room: string
  readonly code: string
  readonly comments: string
  /** Addresses of files that it opens, from `src/`. */
  readonly opens: readonly string[]
  /** Packages and modules of Node. */
  readonly packages: readonly string[]
}

const strings = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/
const comments = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
const stringsAndComments = new RegExp(`(?<string>${strings.source})|${comments.source}`, 'g')
const anyString = new RegExp(strings, 'g')
const importStatements = /^import\b.*?\bfrom\b/gms
const imports = /(?:\bfrom|\bimport\(|\bimport)\s*'(?<address>[^']+)'/g

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
    room: path.split('/')[1] ?? '',
    code,
    comments: comment.join('\n'),
    opens: addresses
      .filter(isOurs)
      .map((address) => join(dirname(path), address).replace('src/', '')),
    packages: addresses.filter((address) => !isOurs(address)),
  }
}

const sources = filesUnder('src')
  .filter((path) => /\.(ts|js)$/.test(path) && !path.endsWith('.test.ts'))
  .map(read)

/** The files whose code says something that only the named places may say. */
function saidOutside(pattern: RegExp, ...places: readonly string[]): string[] {
  return sources
    .filter(({ path, room }) => !places.includes(path) && !places.includes(room))
    .filter(({ code }) => pattern.test(code))
    .map(({ path }) => path)
}

const rooms = tableUnder('ARCHITECTURE.md', 'Rooms').map(([room = '', , opens = '']) => ({
  room: bare(ticked(room)[0] ?? ''),
  opens,
}))

function bare(room: string): string {
  return room.replace('/', '')
}

/** What the table lets a room open. */
const doors = new Map(
  rooms.map(({ room, opens }, index) => {
    const above = rooms.slice(0, index).map((one) => one.room)
    const named = ticked(opens).map(bare)
    const isEvery = opens.startsWith('every room above')
    return [room, isEvery ? above.filter((one) => !named.includes(one)) : named]
  }),
)

describe('the rooms', () => {
  test('are those of the table, and none besides', () => {
    const found = new Set(sources.map(({ room }) => room))
    found.delete('dagsverk.js')
    expect([...found].sort()).toEqual([...doors.keys()].sort())
  })

  test('open only rooms above them, so that no ring can be made', () => {
    const names = [...doors.keys()]
    for (const [room, opens] of doors)
      for (const open of opens)
        expect(names.indexOf(open), `${room} → ${open}`).toBeLessThan(names.indexOf(room))
  })

  test('open only what the table lets them open', () => {
    const trespasses = sources
      .filter(({ room }) => room !== 'dagsverk.js')
      .flatMap(({ path, room, opens }) => {
        const allowed = ['faults.ts', 'phrases.ts', room, ...(doors.get(room) ?? [])]
        return opens
          .filter((opened) => !allowed.includes(opened.split('/')[0] ?? ''))
          .map((opened) => `${path} → ${opened}`)
      })
    expect(trespasses).toEqual([])
  })

  test('have no file that nobody opens', () => {
    const opened = new Set(sources.flatMap(({ opens }) => opens))
    const doors = new Set(['dagsverk.js', 'main.ts', 'client/client.ts'])
    const unopened = sources.filter(({ path }) => !doors.has(path) && !opened.has(path))
    expect(unopened.map(({ path }) => path)).toEqual([])
  })

  test('do not import main.ts, which dagsverk.js starts', () => {
    const openers = sources.filter(({ opens }) => opens.includes('main.ts'))
    expect(openers.map(({ path }) => path)).toEqual([])
  })
})

describe('what is impure is handed in', () => {
  const pure = ['lib', 'odata', 'model', 'plan', 'wire']

  test('the client runs wherever fetch is: it takes nothing from Node, and types alone from the model', () => {
    const clients = sources.filter(({ room }) => room === 'client')
    expect(clients.flatMap(({ packages }) => packages)).toEqual([])
    const ofModel = clients.flatMap(({ code }) => code.match(/^import (?!type).*\/model\//gm) ?? [])
    expect(ofModel).toEqual([])
  })

  test('the pure rooms take nothing from the machine', () => {
    const harmless = new Set([
      'node:buffer',
      'node:net',
      'node:string_decoder',
      'saxes',
      'csv-parse',
    ])
    const taken = sources
      .filter(({ room }) => pure.includes(room))
      .flatMap(({ path, packages }) =>
        packages.filter((one) => !harmless.has(one)).map((one) => `${path} → ${one}`),
      )
    expect(taken).toEqual([])
  })

  test('only config.ts reads the environment', () => {
    expect(saidOutside(/\bprocess\.env\b/, 'config.ts')).toEqual([])
  })

  test('only main.ts looks at the clock, and nobody throws Math.random', () => {
    const clock = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b/
    expect(saidOutside(clock, 'main.ts')).toEqual([])
    expect(saidOutside(/\bMath\.random\b/)).toEqual([])
  })

  test('only the front door prints and ends the process', () => {
    const printing = /\bconsole\.|\bprocess\.(stdout|stderr|exit)/
    expect(saidOutside(printing, 'main.ts', 'dagsverk.js')).toEqual([])
  })
})

describe('one place for each', () => {
  const usersOf = (name: RegExp): Set<string> =>
    new Set(
      sources
        .filter(({ packages }) => packages.some((one) => name.test(one)))
        .map((one) => one.room),
    )

  test('only store/ knows the databases', () => {
    expect(usersOf(/^(kysely|better-sqlite3|pg)$/)).toEqual(new Set(['store']))
  })

  test('only store/ speaks SQL', () => {
    const sql =
      /['"`]\s*(select\s[^'"`]*\sfrom|insert into|update \w+ set|delete from|create (table|index)|begin|commit|rollback|pragma)\b/i
    expect(saidOutside(sql, 'store')).toEqual([])
  })

  test('only http/ knows the framework', () => {
    expect(usersOf(/^fastify/)).toEqual(new Set(['http']))
  })

  test('only auth/caller.ts makes a CompanyId', () => {
    expect(saidOutside(/\bas\s+CompanyId\b/, 'auth/caller.ts')).toEqual([])
  })

  test('types are asserted only where what is known cannot be said', () => {
    const assertion = /[\w)\]}] as (?!const\b)\w/
    const exempt = new Set([
      'model/resource.ts',
      'auth/caller.ts',
      'client/line.ts',
      'http/held-sockets.ts',
      'store/statement.ts',
      'store/sqlite/connection.ts',
    ])
    const asserting = sources
      .filter(({ path, room }) => room !== 'lib' && !exempt.has(path))
      .filter(({ code }) =>
        assertion.test(code.replace(importStatements, '').replace(anyString, '')),
      )
    expect(asserting.map(({ path }) => path)).toEqual([])
  })

  test('the wire is Norwegian, and the crossing is model/, api/routes.ts and app/words.ts', () => {
    const norwegian = new RegExp(`(?<!\\w)(${wireWords().join('|')})(?!\\w)`)
    // The sentences of refusals, the reference that is generated, the page for the first set-up in both
    // languages, what a command prints to paste, and the client, which stands on the other side.
    const speakers = [
      'model',
      'api/routes.ts',
      'faults.ts',
      'phrases.ts',
      'api/openapi/errors.ts',
      'cli',
      'client',
    ]
    expect(saidOutside(norwegian, ...speakers, 'api/setup/words.ts', 'app/words.ts')).toEqual([])
  })

  test('firma and passord are names that only those who look for credentials know', () => {
    const prose = ['faults.ts', 'mail/texts.ts']
    expect(saidOutside(/(?<!\w)(firma|passord)(?!\w)/, 'auth', 'api', 'cli', ...prose)).toEqual([])
  })
})

describe('what is written', () => {
  test('every file opens by saying what it is for', () => {
    const silent = sources.filter(
      ({ path }) => !/^(\/\/|#!.*\n\/\/) \S/.test(textOf(`src/${path}`)),
    )
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  test('no file has a name for nothing', () => {
    const nothing = /^(utils?|helpers?|common|misc|core|services?|index)\b/
    expect(sources.filter(({ path }) => nothing.test(basename(path)))).toEqual([])
  })

  test('nothing is put off', () => {
    const putOff = sources.filter((one) => /\b(TODO|FIXME|XXX)\b/.test(one.comments))
    expect(putOff.map(({ path }) => path)).toEqual([])
  })

  test('a comment cites what a reader can open: the interface, a decision, a standard', () => {
    const citing = sources.filter((one) => /\b(contract|trust)(:| \d)/.test(one.comments))
    expect(citing.map(({ path }) => path)).toEqual([])
  })

  test('no file speaks of the machine that it was written on', () => {
    const somebodys = /(?<![\w.])\/(home|Users|root|work)\/\w/
    const ours = ['src', 'tests', 'docs', 'tools', 'bench'].flatMap(filesUnder)
    const pages = ['README.md', 'ARCHITECTURE.md', 'STYLE.md', 'CHANGELOG.md', 'package.json']
    expect([...ours, ...pages].filter((path) => somebodys.test(textOf(path)))).toEqual([])
  })
})

describe('functions', () => {
  test('at the top of a file are declarations, but where a type says what they are', () => {
    const files = ['src', 'web', 'tests', 'bench', 'tools']
      .flatMap(filesUnder)
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    const arrows = files.flatMap((path) =>
      parseAst(textOf(path), { lang: path.endsWith('x') ? 'tsx' : 'ts' })
        .body.map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
        .flatMap((node) =>
          node?.type === 'VariableDeclaration' && node.kind === 'const' ? node.declarations : [],
        )
        .filter(({ id, init }) => init?.type === 'ArrowFunctionExpression' && !isTyped(id))
        .map(({ id }) => `${path}: ${id.type === 'Identifier' ? id.name : ''}`),
    )
    expect(arrows).toEqual([])
  })
})

function isTyped(id: object): boolean {
  return 'typeAnnotation' in id && id.typeAnnotation !== null
}
