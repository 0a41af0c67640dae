// Style sheets of the app: global classes, dead ones, and the tokens for colours and type.
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesUnder, textOf } from '../support/repository.ts'

/** Their classes reach every screen: those that many features share, and the page frame. */
const globalFolders = ['web/styles', 'web/app', 'web/components']

/** The tokens, and the elements whose type is relative to the text around them. */
const tokenSheets = ['tokens.css', 'app.css'].map((name) => join('web/styles', name))

const paths = filesUnder('web')
const sheets = paths.filter((path) => path.endsWith('.css'))
const modules = sheets.filter((path) => path.endsWith('.module.css'))
const sources = paths.filter((path) => /\.(tsx?|html)$/.test(path))

/** Classes in the selectors of a sheet; those of the component library, and global ones in a module, are left out. */
function classesIn(sheet: string): Set<string> {
  const rules = textOf(sheet).replaceAll(/\/\*[^]*?\*\/|:global\([^)]*\)|\.mantine-[\w-]+/g, '')
  const selectors = [...rules.matchAll(/[^{};]+(?=\{)/g)].join(' ')
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))
}

/** Classes of a module that the sources next to it read, by the name that they import it under. */
function classesReadFrom(sheet: string): Set<string> {
  const read = sources
    .filter((path) => dirname(path) === dirname(sheet))
    .flatMap((path) => {
      const name = new RegExp(`import (\\w+) from './${basename(sheet)}'`).exec(textOf(path))?.[1]
      if (name === undefined) return []
      return [...textOf(path).matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))]
    })
  return new Set(read.map(([, name = '']) => name))
}

test('the classes of a feature are in a module, so that they reach no other screen', () => {
  const global = sheets.filter((path) => !modules.includes(path))
  expect(global.filter((path) => !globalFolders.includes(dirname(path)))).toEqual([])
})

test('modules have different names, as their classes begin with it', () => {
  expect(new Set(modules.map((path) => basename(path))).size).toBe(modules.length)
})

describe.each(sheets)('%s', (sheet) => {
  const isModule = modules.includes(sheet)

  test.runIf(isModule)('has the classes that are read from it, and no others', () => {
    const composed = [...textOf(sheet).matchAll(/composes: (\w+);/g)].map(([, name]) => name)
    const read = classesReadFrom(sheet)
    expect([...read].filter((name) => !classesIn(sheet).has(name))).toEqual([])
    expect([...classesIn(sheet)].filter((name) => !read.has(name) && !composed.includes(name))).toEqual([])
  })

  test.runIf(!isModule)('has no class that is not used', () => {
    const code = sources.map(textOf).join('\n')
    const isUsed = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code)
    expect([...classesIn(sheet)].filter((name) => !isUsed(name))).toEqual([])
  })

  test.runIf(!tokenSheets.includes(sheet))('takes colours and type from tokens', () => {
    const text = textOf(sheet)
    expect(text.match(/#[\da-f]{3,8}\b|\b(rgb|hsl)\(/gi) ?? []).toEqual([])
    expect(text.match(/font-size: (?!var\(--type-\d\))[^;]*/g) ?? []).toEqual([])
    expect(text.match(/border-radius: (?!(var\(--radius-\w+\)|0|50%)( |;))[^;]*/g) ?? []).toEqual([])
  })
})
