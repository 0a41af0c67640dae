// What exists is documented, and what is documented exists.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serverTask, taskByScope } from '../src/api/openapi/tasks.ts'
import { publicRoutes } from '../src/api/public-routes.ts'
import { routes } from '../src/api/routes.ts'
import { errorCatalog, type ErrorCode } from '../src/errors/catalog.ts'
import manifest from '../package.json' with { type: 'json' }
import { filesUnder, root, rowsOf, tableUnder, textOf, backtickedTerms } from './support/repository.ts'
import { describedNames } from './support/wire-names.ts'
import { settingNames, settings, variableName } from '../src/config/settings.ts'
import { expressionLimits } from '../src/engine/odata/expressions/complexity.ts'
import { listRowsMax } from '../src/engine/formats/read/read-records.ts'
import { limits } from '../src/http/limits.ts'
import { costlyReadsMax, streamsMax } from '../src/store/company-slots.ts'
import { eventTypes } from '../src/notifications/webhooks/publish.ts'

const atRoot = readdirSync(root).filter((name) => name !== 'node_modules')
const pages = [...atRoot, ...['.github', 'bench', 'docs', 'tests', 'web'].flatMap(filesUnder)]
  .filter((path) => path.endsWith('.md'))
  .sort()

/** Rows whose first cells are a status and a code, or a code under a heading with the status. */
function documentedErrors(): Map<string, string> {
  const sections = textOf('docs/errors.md').split(/^## /m)
  return new Map(
    sections.flatMap((section) => {
      const [, headingStatus = ''] = /^(\d{3}):/.exec(section) ?? []
      return rowsOf(section).flatMap(([first = '', second = '']) => {
        const isStatus = /^\d{3}$/.test(first)
        const [code] = backtickedTerms(isStatus ? second : first)
        const isCode = code !== undefined && /^[A-Z]\w+$/.test(code)
        return isCode ? [[code, isStatus ? first : headingStatus] as const] : []
      })
    }),
  )
}

describe('errors.md', () => {
  test('has every code of the catalogue with its status, and no other', () => {
    const catalogue = Object.keys(errorCatalog) as ErrorCode[]
    const expected = new Map(catalogue.map((code) => [code, String(errorCatalog[code].status)]))
    expect(documentedErrors()).toEqual(expected)
  })

  test('every code is named by a test', () => {
    const paths = [...filesUnder('src'), ...filesUnder('tests')].filter((path) => path.endsWith('.test.ts'))
    // The whole of a string, or its end after a status or a parameter of a URL: a mere word may mean something else.
    const code = /(?<=['"`= ])[A-Z]\w+(?=['"`])/g
    const named = new Set(
      paths.flatMap(
        (path) =>
          textOf(path)
            .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
            .match(code) ?? [],
      ),
    )
    expect(Object.keys(errorCatalog).filter((code) => !named.has(code))).toEqual([])
  })
})

describe('api.md', () => {
  test('has every route below its task, with the scope it requires, and no other', () => {
    const sections = textOf('docs/api.md').split(/^## /m)
    const documented = sections.flatMap((section) => {
      const [task = ''] = section.split('\n')
      return rowsOf(section)
        .filter(([method = '']) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(method))
        .map((cells) => [task, ...cells.slice(0, 3)].join(' ').replaceAll('`', ''))
    })
    const served = [
      ...routes.map(({ method, path, operation: { scope } }) => [taskByScope[scope], method, path, scope].join(' ')),
      ...publicRoutes.map(({ method, path }) => `${serverTask} ${method} ${path} –`),
    ]
    expect(documented.toSorted()).toEqual(served.toSorted())
  })

  test('has an example of every operation', () => {
    const examples = fencedBlocks('docs/api.md', 'sh').join('\n')
    const shown = new Set(
      examples
        .match(/\/\w[\w/()$]*/g)
        ?.map((path) => path.replace(/\([^)]*\)?/, '(:id)').replace(/\/(\d+|\$batch)\//, '/:id/')),
    )
    const operations = Map.groupBy(routes, ({ operation }) => operation)
    const without = [...operations.values()].filter((aliases) => !aliases.some(({ path }) => shown.has(path)))
    expect(without.map(([first]) => first?.path)).toEqual([])
  })
})

/** The first number of a table cell, in bytes, milliseconds or pieces. */
function firstNumber(cell: string): number {
  const [, number = '', unit = ''] = /([\d,]+) ?(KiB|MiB|s\b)?/.exec(cell) ?? []
  const units: Record<string, number> = { KiB: 1024, MiB: 1024 ** 2, s: 1000 }
  return Number(number.replaceAll(',', '')) * (units[unit] ?? 1)
}

describe('limits', () => {
  const documented = new Map(tableUnder('docs/api.md', 'Limits').map(([what = '', atMost = '']) => [what, atMost]))

  test.each([
    ['rows of a list', listRowsMax],
    ['body of a list', limits.listBytesMax],
    ['body of an unauthenticated request', limits.publicBodyBytesMax],
    ['another body', limits.bodyBytesMax],
    ['all bodies at once', limits.bodyBytesInFlightMax],
    ['URL', limits.urlBytesMax],
    ['headers', limits.headersBytesMax],
    ['operators and calls of `$filter`', expressionLimits.nodes],
    ['depth of `$filter`', expressionLimits.depth],
    ['values of `in`', expressionLimits.listValues],
    ['streams at once', streamsMax],
    ['costly reads at once', costlyReadsMax],
    ['time for headers', limits.headersTimeoutMs],
    ['time for a body', limits.bodyTimeoutMs],
    ['time in which a client receives nothing', limits.stalledReaderTimeoutMs],
    ['time that a stream waits for its client', limits.slowReaderTimeoutMs],
    ['connections from one network', limits.unauthenticatedConnectionsMax],
    ['calls of a credential', Number(settings.rateLimit.default)],
  ])('api.md has the limit of %s', (what, limit) => {
    const row = [...documented.keys()].find((one) => one.startsWith(what))
    expect(firstNumber(documented.get(row ?? '') ?? '')).toBe(limit)
  })

  test('what one company or credential may take of them is the same in all pages', () => {
    const [streamsOfCompanyMax, costlyReadsOfCompanyMax] = [(streamsMax * 3) / 4, (costlyReadsMax * 3) / 4]
    const costly = `${costlyReadsMax}, of one company ${costlyReadsOfCompanyMax}, and 1 beside`
    expect(documented.get('costly reads at once')).toContain(costly)
    expect(documented.get('streams at once')).toContain(`${streamsOfCompanyMax} of one company`)
    expect([streamsMax, streamsOfCompanyMax, costlyReadsMax, costlyReadsOfCompanyMax]).toEqual([8, 6, 4, 3])
    const perProcess = 'eight and four per server, and per worker; of one company six and three'
    expect(textOf('docs/scaling.md')).toContain(perProcess)
    const { bodyBytesPerCredentialMax, bodyBytesPerCompanyMax, bodyBytesPerNetworkMax } = limits
    const mebibytes = [bodyBytesPerCredentialMax, bodyBytesPerCompanyMax, bodyBytesPerNetworkMax].map(
      (bytes) => `${bytes / 1024 ** 2} MiB`,
    )
    for (const page of ['docs/api.md', 'docs/scaling.md'])
      for (const size of mebibytes) expect(textOf(page)).toContain(size)
  })
})

function fencedBlocks(page: string, language: string): string[] {
  return [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n(?<text>.*?)^\`\`\`$`, 'gms'))].map(
    ({ groups }) => groups?.text ?? '',
  )
}

test.each(pages)('%s: no example hides its reply', (page) => {
  expect(fencedBlocks(page, 'sh').filter((script) => script.includes('/dev/null'))).toEqual([])
})

const guides = pages.filter((page) => page.startsWith('docs/adding-'))

test.each(guides)('%s: every line that its diffs keep or remove exists', (guide) => {
  const diffs = textOf(guide).matchAll(/^(?<indent> *)```diff\n(?<diff>.*?)^ *```$/gms)
  const existing = [...diffs].flatMap(({ groups: { indent = '', diff = '' } = {} }) =>
    diff
      .split('\n')
      .map((one) => one.slice(indent.length))
      .filter((one) => /^[ -]/.test(one) && !one.includes('…'))
      .map((one) => one.slice(1).trim()),
  )
  const files = ['src', 'web', 'tests', 'docs'].flatMap(filesUnder)
  const texts = files.filter((file) => /\.(tsx?|md)$/.test(file) && !guides.includes(file))
  const lines = new Set(
    texts.flatMap((file) =>
      textOf(file)
        .split('\n')
        .map((one) => one.trim()),
    ),
  )
  expect(existing.filter((one) => !lines.has(one))).toEqual([])
})

test('webhooks.md has every event, and no other', () => {
  const documented = tableUnder('docs/webhooks.md', 'Events').flatMap(([first = '']) => backtickedTerms(first))
  expect(documented.sort()).toEqual([...eventTypes, 'webhook.test'].sort())
})

test('versions of packages are current', () => {
  const named = pages.flatMap((page) => [...textOf(page).matchAll(/\bdagsverk-[\d.]+\.tgz\b/g)])
  const names = new Set(named.map(([name]) => name))
  expect([...names]).toEqual([`dagsverk-${manifest.version}.tgz`])
})

test('CHANGELOG.md has a dated section of the version, below that of unreleased changes', () => {
  const [unreleased, newest = ''] = textOf('CHANGELOG.md').match(/^## .*$/gm) ?? []
  expect(unreleased).toBe('## [Unreleased]')
  expect(newest).toMatch(/^## \[\S+\] - \d{4}-\d\d-\d\d$/)
  expect(newest).toContain(`[${manifest.version}]`)
})

test('the first release has only additions in CHANGELOG.md, since nothing was released before', () => {
  const [, first = ''] = textOf('CHANGELOG.md').split('## [0.1.0]')
  expect(first.match(/^### .*$/gm)).toEqual(['### Added'])
})

describe('cli.md', () => {
  test('has every setting', () => {
    const documented = tableUnder('docs/cli.md', 'Settings').flatMap(([name = '']) => backtickedTerms(name))
    expect(documented.toSorted()).toEqual(settingNames.map(variableName).toSorted())
  })
})

describe('interface.md', () => {
  test('has no rule that no test names in its title', () => {
    const titles = filesUnder('tests/spec').flatMap((path) =>
      [...textOf(path).matchAll(/\b(?:describe|test)[^\n]*?\(\s*[`'"](?<title>[^\n]*)/g)].map(
        ({ groups }) => groups?.title ?? '',
      ),
    )
    const isNamed = (rule: string) => {
      const number = new RegExp(`(^|\\s)${rule.replaceAll('.', '\\.')}(?!\\d|\\.\\d)`)
      return titles.some((title) => number.test(title))
    }
    expect(rulesInForce().filter((rule) => !isNamed(rule))).toEqual([])
  })

  test('has every section or rule that a route names', () => {
    const sections = textOf('docs/interface.md').match(/(?<=^#+ )[\d.]+(?= )/gm) ?? []
    const known = new Set([...sections, ...rulesInForce()])
    const unknown = routes.filter(({ operation }) => !known.has(operation.rule))
    expect(unknown.map(({ path, operation }) => `${path}: ${operation.rule}`)).toEqual([])
  })
})

/**
 * `4.1.2` is the second numbered line of section 4.1. What is planned, or not shown, cannot be
 * tested.
 */
function rulesInForce(): string[] {
  let section = ''
  return textOf('docs/interface.md')
    .split('\n')
    .flatMap((line) => {
      section = /^#+ (?<number>[\d.]+) /.exec(line)?.groups?.number ?? section
      const rule = /^(?<number>\d+)\. /.exec(line)?.groups?.number
      const isOpen = /(_\(planned\)_|not shown\.)$/.test(line)
      return rule === undefined || isOpen ? [] : [`${section}.${rule}`]
    })
}

describe('glossary.md', () => {
  test('has every word that the descriptions spell', () => {
    const known = new Set(backtickedTerms(textOf('docs/glossary.md')))
    expect(describedNames().filter((word) => !known.has(word))).toEqual([])
  })
})

describe('decision records', () => {
  const records = filesUnder('docs/adr').filter((path) => /\/\d{4}-[^/]+\.md$/.test(path))

  test('every record is listed under its number and title, and nothing else is', () => {
    const listed = rowsOf(textOf('docs/adr/README.md')).map(([link = '', title = '']) => [link, title])
    const found = records.map((path) => {
      const name = path.replace('docs/adr/', '')
      const [, number = '', title = ''] = /^# (\d{4}) (.+)$/m.exec(textOf(path)) ?? []
      return [`[${number}](${name})`, title]
    })
    expect(listed).toEqual(found)
  })

  test('every cited number has a record', () => {
    const numbers = new Set(records.map((path) => path.replace(/^.*\/(\d{4})-.*$/, '$1')))
    const texts = [...pages, ...filesUnder('src'), ...filesUnder('tests'), ...filesUnder('tools')]
    const citedNumbers = texts.flatMap((path) =>
      [...textOf(path).matchAll(path === 'docs/interface.md' ? /\((0\d{3})\)/g : /\bADR (\d{4})\b/g)].map(
        ([, number]) => ({ path, number }),
      ),
    )
    expect(citedNumbers.filter(({ number }) => !numbers.has(number ?? ''))).toEqual([])
  })
})

describe('links', () => {
  test('lead to a file, and to a heading of it', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((link) => !resolves(page, link))
        .map((link) => `${page} → ${link}`),
    )
    expect(broken).toEqual([])
  })
})

test('every file of the repository that a page names exists', () => {
  const missing = pages.flatMap((page) =>
    backtickedTerms(textOf(page))
      .filter((name) => /^(src|tests|tools|bench|docs|web)\/[\w./-]+\.(ts|tsx|js|sh|md)$/.test(name))
      .filter((name) => !existsSync(join(root, name)))
      .map((name) => `${page} → ${name}`),
  )
  expect(missing).toEqual([])
})

test('every npm script that a page names exists', () => {
  const missing = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\bnpm run (?:--\S+ )*([a-z][\w:]*)/g)]
      .filter(([, name = '']) => !Object.hasOwn(manifest.scripts, name))
      .map(([command]) => `${page} → ${command}`),
  )
  expect(missing).toEqual([])
})

test('no page contains conflict markers of a merge', () => {
  expect(pages.filter((page) => /^(<{7}|>{7}) /m.test(textOf(page)))).toEqual([])
})

function linksOf(page: string): string[] {
  return [
    ...textOf(page)
      .replace(/^```.*?^```$/gms, '')
      .matchAll(/\]\((?<link>[^)\s]+)\)/g),
  ]
    .map(({ groups }) => groups?.link ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
}

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return false
  return anchor === undefined || anchorsOf(target).has(anchor)
}

/** Heading anchors as the usual renderers make them. */
function anchorsOf(page: string): Set<string> {
  return new Set(
    [...textOf(page).matchAll(/^#+ (?<heading>.+)$/gm)].map(({ groups }) =>
      (groups?.heading ?? '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  )
}
