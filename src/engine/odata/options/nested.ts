// Parser of `$expand` and `$select` items and of their nested options, which contain such items.
import { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode, type Says } from '../../../errors/messages.ts'
import { nearest } from '../../../lib/closest-match.ts'
import { aliasValue } from './aliases.ts'
import { readApply } from './apply.ts'
import { readCompute } from './compute.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression } from '../expressions/expression.ts'
import type { Tokens } from '../lexer/lexer.ts'
import { shown, targetAt, unreadable } from './option.ts'
import { readOrderBy } from './order-by.ts'
import { readSearch } from './search.ts'
import type {
  ExpandItem,
  Expression,
  Name,
  NestedOptions,
  SelectItem,
} from '../expressions/syntax.ts'

/** Parses items until no comma follows. */
export function readExpand(tokens: Tokens, dialect: Dialect): readonly ExpandItem[] {
  return new NestedReader(tokens, dialect).expand()
}

/** Parses items until no comma follows. */
export function readSelect(tokens: Tokens, dialect: Dialect): readonly SelectItem[] {
  return new NestedReader(tokens, dialect).select()
}

/** The maximum nesting of relations in `$expand`, and of properties in `$select`. */
export const levelsMax = 5

/** The maximum number of names in a list. */
const itemsMax = 1000

class NestedReader {
  readonly #tokens: Tokens
  #dialect: Dialect
  readonly #levels = { expand: 0, select: 0 }

  constructor(tokens: Tokens, dialect: Dialect) {
    this.#tokens = tokens
    this.#dialect = dialect
  }

  expand(): ExpandItem[] {
    return this.#items('expand', () => this.#expandItem())
  }

  select(): SelectItem[] {
    return this.#items('select', () => this.#selectItem())
  }

  #items<Item>(option: 'expand' | 'select', read: () => Item): Item[] {
    if (++this.#levels[option] > levelsMax) throw this.#tooComplex('relationDepth', levelsMax)
    const items = [read()]
    while (this.#accepts(',')) {
      if (items.length === itemsMax) throw this.#tooComplex('namesInList', itemsMax)
      items.push(read())
    }
    this.#levels[option]--
    return items
  }

  #expandItem(): ExpandItem {
    const path = [this.#name()]
    let wants: ExpandItem['wants'] = 'records'
    while (wants === 'records' && this.#accepts('/')) {
      wants = this.#resultKind()
      if (wants === 'records') path.push(this.#nameAfter(path))
    }
    return { path, wants, options: this.#options(optionsOf[wants]) }
  }

  /** `/$ref` and `/$count` end the item. */
  #resultKind(): ExpandItem['wants'] {
    const word = this.#tokens.kind === 'word' ? this.#tokens.text.toLowerCase() : ''
    const wants = word === '$ref' ? 'references' : word === '$count' ? 'count' : 'records'
    if (wants !== 'records') this.#tokens.next()
    return wants
  }

  #selectItem(): SelectItem {
    const path = [this.#name()]
    while (this.#accepts('/')) path.push(this.#nameAfter(path))
    return { path, options: this.#options(optionsOf.properties) }
  }

  #nameAfter(path: readonly Name[]): Name {
    if (path.at(-1)?.name === '*') throw this.#invalid('expectedComma')
    return this.#name()
  }

  #name(): Name {
    const { kind, text, column } = this.#tokens
    if (kind !== 'word' && !this.#tokens.isAt('*')) throw this.#invalid('expectedName')
    if (text.startsWith('@')) throw this.#notSupported('anAnnotation')
    if (text.toLowerCase() === '$value') throw this.#notSupported('aStream')
    if (text.startsWith('$')) throw this.#invalid('expectedName')
    if (text.includes('.')) throw this.#notSupported('aTypeCast')
    this.#tokens.next()
    return { kind: 'name', name: text, column }
  }

  /** The nested options in brackets, if any. */
  #options(known: ReadonlySet<OptionName>): NestedOptions {
    if (!this.#accepts('(')) return {}
    const outer = this.#dialect
    const start = this.#tokens.mark()
    const aliases = new Map<string, Expression>()
    const missing = new Set<string>()
    this.#dialect = { ...outer, alias: this.#aliasResolver(outer, aliases, missing) }
    let options = this.#nestedOptions(known, aliases)
    // An alias may be defined after its first use; then the options are parsed again.
    if ([...aliases.keys()].some((name) => missing.has(name))) {
      this.#tokens.back(start)
      options = this.#nestedOptions(known, new Map())
    }
    this.#dialect = outer
    return aliases.size === 0 ? options : { ...options, aliases }
  }

  /** Aliases inside the brackets hide those of the query (OData 4.01 part 2, 5.3). */
  #aliasResolver(
    outer: Dialect,
    aliases: ReadonlyMap<string, Expression>,
    missing: Set<string>,
  ): NonNullable<Dialect['alias']> {
    return (name) => {
      const own = aliases.get(name)
      if (own !== undefined) return aliasValue(this.#tokens.option, own)
      missing.add(name)
      return outer.alias?.(name)
    }
  }

  #nestedOptions(known: ReadonlySet<OptionName>, aliases: Map<string, Expression>): NestedOptions {
    let options: NestedOptions = {}
    do {
      if (this.#tokens.text.startsWith('@')) this.#parameterAlias(aliases)
      else options = { ...options, ...this.#option(known, options) }
    } while (this.#accepts(';'))
    if (!this.#accepts(')')) throw this.#invalid('expectedSemicolon')
    return options
  }

  #parameterAlias(aliases: Map<string, Expression>): void {
    const { text } = this.#tokens
    if (aliases.has(text)) throw this.#invalid('givenTwice', { name: shown(text) })
    this.#expectEquals()
    this.#tokens.next()
    aliases.set(text, readExpression(this.#tokens, this.#dialect))
  }

  #option(known: ReadonlySet<OptionName>, given: NestedOptions): NestedOptions {
    const { kind, text } = this.#tokens
    const bare = text.toLowerCase().replace(/^\$/, '')
    const name = kind === 'word' ? optionNames.get(bare) : undefined
    if (name === undefined || !known.has(name)) throw this.#unknownOption(bare, known)
    if (given[name] !== undefined) throw this.#invalid('givenTwice', { name: shown(text) })
    this.#expectEquals()
    // Search terms are tokenized by rules of their own.
    if (name === 'search') this.#tokens.nextTerm()
    else this.#tokens.next()
    return this.#value(name)
  }

  /** Advances to the `=` after a name. */
  #expectEquals(): void {
    this.#tokens.next()
    if (!this.#tokens.isAt('=')) throw this.#invalid('expectedSign', { sign: '=' })
  }

  #value(name: OptionName): NestedOptions {
    switch (name) {
      case 'select':
        return { select: this.select() }
      case 'expand':
        return { expand: this.expand() }
      case 'filter':
        return { filter: readExpression(this.#tokens, this.#dialect) }
      case 'orderBy':
        return { orderBy: readOrderBy(this.#tokens, this.#dialect) }
      case 'search':
        return { search: readSearch(this.#tokens) }
      case 'apply':
        return { apply: readApply(this.#tokens, this.#dialect) }
      case 'compute':
        return { compute: readCompute(this.#tokens, this.#dialect) }
      case 'top':
        return { top: this.#wholeNumber(/^\d+$/, 'expectedCount') }
      case 'skip':
        return { skip: this.#wholeNumber(/^\d+$/, 'expectedCount') }
      case 'count':
        return { count: this.#boolean() }
    }
    return { levels: this.#levelsValue() }
  }

  #wholeNumber(pattern: RegExp, problem: PhraseCode): number {
    const { kind, text } = this.#tokens
    const number = kind === 'literal' && pattern.test(text) ? Number(text) : NaN
    if (!Number.isSafeInteger(number)) throw this.#invalid(problem)
    this.#tokens.next()
    return number
  }

  #boolean(): boolean {
    const word = this.#tokens.kind === 'word' ? this.#tokens.text.toLowerCase() : ''
    if (word !== 'true' && word !== 'false') throw this.#invalid('expectedTrueOrFalse')
    this.#tokens.next()
    return word === 'true'
  }

  #levelsValue(): number | 'max' {
    const isMax = this.#tokens.kind === 'word' && this.#tokens.text.toLowerCase() === 'max'
    if (!isMax) return this.#wholeNumber(/^[1-9]\d*$/, 'expectedLevels')
    this.#tokens.next()
    return 'max'
  }

  #accepts(sign: string): boolean {
    const isAt = this.#tokens.isAt(sign)
    if (isAt) this.#tokens.next()
    return isAt
  }

  #unknownOption(bare: string, known: ReadonlySet<OptionName>): Fault {
    const names = [...optionNames].filter(([, name]) => known.has(name)).map(([spelled]) => spelled)
    const options = names.map((name) => `$${name}`).join(', ')
    const meant = nearest(bare, names)
    const fault = this.#invalid(
      'expectedOption',
      { options },
      meant === undefined ? meant : `$${meant}`,
    )
    if (known !== optionsOf.properties) return fault
    // Parameter names select an overload of a function: `$select=Function(one,two)`.
    this.#tokens.next()
    const isList = this.#tokens.isAt(',') || this.#tokens.isAt(')')
    return isList ? this.#notSupported('choosingFunction') : fault
  }

  #notSupported(feature: PhraseCode): Fault {
    const target = targetAt(this.#tokens.option, this.#tokens.column)
    return new Fault('NotSupported', { target, says: { feature: phrase(feature) } })
  }

  #tooComplex(limit: 'relationDepth' | 'namesInList', max: number): Fault {
    const { option, column } = this.#tokens
    return new Fault('ExpandTooComplex', {
      target: targetAt(option, column),
      says: { option: option.name, limit: phrase(limit), max },
    })
  }

  #invalid(problem: PhraseCode, says: Says = {}, meant?: string): Fault {
    return unreadable(this.#tokens.option, this.#tokens.column, phrase(problem, says), meant)
  }
}

type OptionName = Exclude<keyof NestedOptions, 'aliases'>

/** In lower case and without the optional `$`. */
const optionNames: ReadonlyMap<string, OptionName> = new Map<string, OptionName>([
  ['select', 'select'],
  ['expand', 'expand'],
  ['filter', 'filter'],
  ['orderby', 'orderBy'],
  ['top', 'top'],
  ['skip', 'skip'],
  ['count', 'count'],
  ['search', 'search'],
  ['levels', 'levels'],
  ['compute', 'compute'],
  ['apply', 'apply'],
])

const chosen = ['filter', 'search'] as const
const paged = [...chosen, 'orderBy', 'top', 'skip', 'count'] as const
const shaped = [...paged, 'select', 'compute'] as const

/** OData 4.01 part 2, 5.1.3.1 (options allowed after `/$ref` and `/$count`) and 5.1.4. */
const optionsOf = {
  records: new Set<OptionName>([...shaped, 'expand', 'levels', 'apply']),
  references: new Set<OptionName>(paged),
  count: new Set<OptionName>(chosen),
  properties: new Set<OptionName>(shaped),
} as const
