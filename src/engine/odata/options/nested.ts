// Parser of `$expand` and `$select` items and of their nested options, which contain such items.
import { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode, type MessageParams } from '../../../errors/messages.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import { requireAliasValue } from './aliases.ts'
import { parseTransformations } from './apply.ts'
import { parseComputeItems } from './compute.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { parseExpression } from '../expressions/expression.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import { truncateName, errorTarget, invalidOptionError } from './option.ts'
import { parseOrderByItems } from './order-by.ts'
import { parseSearchExpression } from './search.ts'
import type {
  ExpandItem,
  Expression,
  NameNode,
  NestedOptions,
  SelectItem,
} from '../expressions/syntax.ts'

/** Parses items until no comma follows. */
export function parseExpandItems(tokens: TokenStream, dialect: Dialect): readonly ExpandItem[] {
  return new NestedOptionsParser(tokens, dialect).expand()
}

/** Parses items until no comma follows. */
export function parseSelectItems(tokens: TokenStream, dialect: Dialect): readonly SelectItem[] {
  return new NestedOptionsParser(tokens, dialect).select()
}

/** The maximum nesting of relations in `$expand`, and of properties in `$select`. */
export const levelsMax = 5

/** The maximum number of names in a list. */
const itemsMax = 1000

class NestedOptionsParser {
  readonly #tokens: TokenStream
  #dialect: Dialect
  readonly #levels = { expand: 0, select: 0 }

  constructor(tokens: TokenStream, dialect: Dialect) {
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
    if (++this.#levels[option] > levelsMax) throw this.#tooComplex('expandDepth', levelsMax)
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
    let resultKind: ExpandItem['resultKind'] = 'records'
    while (resultKind === 'records' && this.#accepts('/')) {
      resultKind = this.#resultKind()
      if (resultKind === 'records') path.push(this.#nameAfter(path))
    }
    return { path, resultKind, options: this.#options(allowedOptions[resultKind]) }
  }

  /** `/$ref` and `/$count` end the item. */
  #resultKind(): ExpandItem['resultKind'] {
    const word = this.#tokens.kind === 'word' ? this.#tokens.text.toLowerCase() : ''
    const resultKind = word === '$ref' ? 'references' : word === '$count' ? 'count' : 'records'
    if (resultKind !== 'records') this.#tokens.next()
    return resultKind
  }

  #selectItem(): SelectItem {
    const path = [this.#name()]
    while (this.#accepts('/')) path.push(this.#nameAfter(path))
    return { path, options: this.#options(allowedOptions.properties) }
  }

  #nameAfter(path: readonly NameNode[]): NameNode {
    if (path.at(-1)?.name === '*') throw this.#invalid('expectedComma')
    return this.#name()
  }

  #name(): NameNode {
    const { kind, text, column } = this.#tokens
    if (kind !== 'word' && !this.#tokens.isAt('*')) throw this.#invalid('expectedName')
    if (text.startsWith('@')) throw this.#notSupported('anAnnotation')
    if (text.toLowerCase() === '$value') throw this.#notSupported('aMediaStream')
    if (text.startsWith('$')) throw this.#invalid('expectedName')
    if (text.includes('.')) throw this.#notSupported('aTypeCast')
    this.#tokens.next()
    return { kind: 'name', name: text, column }
  }

  /** The nested options in brackets, if any. */
  #options(known: ReadonlySet<OptionName>): NestedOptions {
    if (!this.#accepts('(')) return {}
    const outer = this.#dialect
    const start = this.#tokens.savePosition()
    const aliases = new Map<string, Expression>()
    const missing = new Set<string>()
    this.#dialect = { ...outer, resolveAlias: this.#aliasResolver(outer, aliases, missing) }
    let options = this.#nestedOptions(known, aliases)
    // An alias may be defined after its first use; then the options are parsed again.
    if ([...aliases.keys()].some((name) => missing.has(name))) {
      this.#tokens.restore(start)
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
  ): NonNullable<Dialect['resolveAlias']> {
    return (name) => {
      const own = aliases.get(name)
      if (own !== undefined) return requireAliasValue(this.#tokens.option, own)
      missing.add(name)
      return outer.resolveAlias?.(name)
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
    if (aliases.has(text)) throw this.#invalid('givenTwice', { name: truncateName(text) })
    this.#expectEquals()
    this.#tokens.next()
    aliases.set(text, parseExpression(this.#tokens, this.#dialect))
  }

  #option(known: ReadonlySet<OptionName>, given: NestedOptions): NestedOptions {
    const { kind, text } = this.#tokens
    const withoutDollar = text.toLowerCase().replace(/^\$/, '')
    const name = kind === 'word' ? optionNames.get(withoutDollar) : undefined
    if (name === undefined || !known.has(name)) throw this.#unknownOption(withoutDollar, known)
    if (given[name] !== undefined) throw this.#invalid('givenTwice', { name: truncateName(text) })
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
        return { filter: parseExpression(this.#tokens, this.#dialect) }
      case 'orderBy':
        return { orderBy: parseOrderByItems(this.#tokens, this.#dialect) }
      case 'search':
        return { search: parseSearchExpression(this.#tokens) }
      case 'apply':
        return { apply: parseTransformations(this.#tokens, this.#dialect) }
      case 'compute':
        return { compute: parseComputeItems(this.#tokens, this.#dialect) }
      case 'top':
        return { top: this.#wholeNumber(/^\d+$/, 'expectedCount') }
      case 'skip':
        return { skip: this.#wholeNumber(/^\d+$/, 'expectedCount') }
      case 'count':
        return { count: this.#boolean() }
    }
    return { levels: this.#levelsValue() }
  }

  #wholeNumber(pattern: RegExp, problem: MessageCode): number {
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

  #unknownOption(withoutDollar: string, known: ReadonlySet<OptionName>): ApiError {
    const names = [...optionNames].filter(([, name]) => known.has(name)).map(([spelled]) => spelled)
    const options = names.map((name) => `$${name}`).join(', ')
    const suggestion = closestMatch(withoutDollar, names)
    const fault = this.#invalid(
      'expectedOption',
      { options },
      suggestion === undefined ? suggestion : `$${suggestion}`,
    )
    if (known !== allowedOptions.properties) return fault
    // Parameter names select an overload of a function: `$select=Function(one,two)`.
    this.#tokens.next()
    const isList = this.#tokens.isAt(',') || this.#tokens.isAt(')')
    return isList ? this.#notSupported('aFunctionInPath') : fault
  }

  #notSupported(feature: MessageCode): ApiError {
    const target = errorTarget(this.#tokens.option, this.#tokens.column)
    return new ApiError('NotSupported', { target, params: { feature: message(feature) } })
  }

  #tooComplex(limit: 'expandDepth' | 'namesInList', max: number): ApiError {
    const { option, column } = this.#tokens
    return new ApiError('ExpandTooComplex', {
      target: errorTarget(option, column),
      params: { option: option.name, limit: message(limit), max },
    })
  }

  #invalid(problem: MessageCode, says: MessageParams = {}, suggestion?: string): ApiError {
    return invalidOptionError(
      this.#tokens.option,
      this.#tokens.column,
      message(problem, says),
      suggestion,
    )
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

const filterOptions = ['filter', 'search'] as const
const pageOptions = [...filterOptions, 'orderBy', 'top', 'skip', 'count'] as const
const recordOptions = [...pageOptions, 'select', 'compute'] as const

/** OData 4.01 part 2, 5.1.3.1 (options allowed after `/$ref` and `/$count`) and 5.1.4. */
const allowedOptions = {
  records: new Set<OptionName>([...recordOptions, 'expand', 'levels', 'apply']),
  references: new Set<OptionName>(pageOptions),
  count: new Set<OptionName>(filterOptions),
  properties: new Set<OptionName>(recordOptions),
} as const
