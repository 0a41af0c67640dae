// The site of the documentation: every page has its place, and a browser asks no other host for anything.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import site from '../tools/docs/.vitepress/config.ts'
import { filesUnder, root, textOf } from './support/repository.ts'
import { isAvailable } from './support/requirements.ts'

const { sidebar } = site.themeConfig
const links = sidebar.flatMap(({ items }) => items.map(({ link }) => link))
const docs = filesUnder('docs').filter((path) => /^docs\/[^/]+\.md$/.test(path))

test('every page of docs/ is in the sidebar once, and nothing else is', () => {
  const listed = links.filter((link) => /^\/docs\/[^/]+$/.test(link))
  expect(listed.toSorted()).toEqual(docs.map((path) => `/${path.replace('.md', '')}`).toSorted())
  for (const link of links.filter((one) => !listed.includes(one)))
    expect(existsSync(join(root, link === '/' ? 'README.md' : `${link}.md`))).toBe(true)
})

/** The rules cite the decisions behind them, and contributors read them. */
const citesDecisions = new Set([
  '/docs/interface',
  ...(sidebar.find(({ text }) => text === 'Contributing')?.items ?? []).map(({ link }) => link),
])

test.each(docs.filter((path) => !citesDecisions.has(`/${path.replace('.md', '')}`)))(
  '%s has no number of a decision record',
  (path) => {
    expect(textOf(path).match(/.*\bADR \d{4}\b.*/g) ?? []).toEqual([])
  },
)

describe.runIf(isAvailable('vitepress'))('the built site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dagsverk-site-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  let built: Map<string, string>
  beforeAll(() => {
    const { status, stderr } = spawnSync('sh', ['tools/docs.sh', '--outDir', folder], { cwd: root, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, expect.any(String)])
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    built = new Map(
      names
        .filter((name) => /\.(html|css|js)$/.test(name))
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    )
  }, 300_000)

  test('it has every page of the sidebar', () => {
    for (const link of links) expect([...built.keys()]).toContain(`${link.slice(1) || 'index'}.html`)
  })

  test('every link to a page leads to one', () => {
    const pages = [...built].filter(([name]) => name.endsWith('.html'))
    const dead = pages.flatMap(([name, text]) =>
      [...text.matchAll(/\shref="(\.[^"#]*\.html)/g)]
        .filter(([, link = '']) => !built.has(posix.join(posix.dirname(name), link)))
        .map(([, link]) => `${name}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  test('it loads nothing from another host', () => {
    const loads = [...built].flatMap(([name, text]) =>
      [
        ...text.matchAll(
          name.endsWith('.html')
            ? /<(?:script|img|iframe|source)[^>]*\ssrc="(?:https?:)?\/\/[^"]*"|<link[^>]*\shref="(?:https?:)?\/\/[^"]*"/g
            : name.endsWith('.css')
              ? /@import|url\(["']?(?:https?:)?\/\/[^)]*\)/g
              : /\b(?:fetch|import)\(["'`]https?:[^)]*\)/g,
        ),
      ].map(([load]) => `${name}: ${load}`),
    )
    expect(loads).toEqual([])
  })

  test('it searches a local index', () => {
    expect([...built.keys()].some((name) => /localSearchIndex/.test(name))).toBe(true)
  })
})
