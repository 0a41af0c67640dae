// Parser of `$select` and `$expand`: names, each with nested options in brackets.
import type { ApiError } from '../../../errors/api-error.ts'
import { message } from '../../../errors/messages.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import { requireAliasValue } from './aliases.ts'
import { parseTransformations } from './apply.ts'
import { parseComputeItems } from './compute.ts'
import type { Dialect } from '../dialect.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import { TokenStream, type CharSequence } from '../lexer/lexer.ts'
import { expandOption, selectOption, tooComplexError, truncateName, type ComplexityLimit } from './option.ts'
import { parseOrderByItems } from './order-by.ts'
import { parsePropertyName } from '../path/property-path.ts'
import { parseSearchExpression } from './search.ts'
import type { ExpandItem, Expression, NameNode, NestedOptions, SelectItem } from '../expressions/syntax.ts'

/** Columns count from the start of the whole option, also in nested options. */
export function parseExpand(text: CharSequence, dialect: Dialect): readonly ExpandItem[] {
  const tokens = new TokenStream(expandOption, text)
  const items = new SelectExpandParser(tokens, dialect).expand()
  tokens.expectEnd('expectedComma')
  return items
}

export function parseSelect(text: CharSequence, dialect: Dialect): readonly SelectItem[] {
  const tokens = new TokenStream(selectOption, text)
  const items = new SelectExpandParser(tokens, dialect).select()
  tokens.expectEnd('expectedComma')
  return items
}

/** The maximum nesting of relations in `$expand`, and of properties in `$select`. */
export const levelsMax = 5

export const expandDepthLimit = {
  limit: 'expandDepth',
  max: levelsMax,
  limitName: 'expandDepthMax',
} as const satisfies ComplexityLimit

class SelectExpandParser {
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
    const { option: within, column } = this.#tokens
    if (++this.#levels[option] > levelsMax) throw tooComplexError(within, column, expandDepthLimit, 'ExpandTooComplex')
    const items = this.#tokens.parseItems(read, 'ExpandTooComplex')
    this.#levels[option]--
    return items
  }

  #expandItem(): ExpandItem {
    const path = [this.#name()]
    let resultKind: ExpandItem['resultKind'] = 'records'
    while (resultKind === 'records' && this.#tokens.accepts('/')) {
      resultKind = this.#resultKind()
      if (resultKind === 'records') path.push(this.#nameAfter(path))
    }
    return { path, resultKind, options: this.#options(allowedOptions[resultKind]) }
  }

  /** `/$ref` and `/$count` end the item. */
  #resultKind(): ExpandItem['resultKind'] {
    if (this.#tokens.acceptsWord('$ref')) return 'references'
    return this.#tokens.acceptsWord('$count') ? 'count' : 'records'
  }

  #selectItem(): SelectItem {
    const path = [this.#name()]
    while (this.#tokens.accepts('/')) path.push(this.#nameAfter(path))
    return { path, options: this.#options(allowedOptions.properties) }
  }

  #nameAfter(path: readonly NameNode[]): NameNode {
    if (path.at(-1)?.name === '*') throw this.#tokens.invalid('expectedComma')
    return this.#name()
  }

  #name(): NameNode {
    const { column } = this.#tokens
    if (this.#tokens.accepts('*')) return { kind: 'name', name: '*', column }
    if (this.#tokens.isAtWord('$value')) throw this.#tokens.unsupported('aMediaStream')
    return parsePropertyName(this.#tokens, 'expectedName')
  }

  /** The nested options in brackets, if any. */
  #options(known: ReadonlySet<NestedOptionName>): NestedOptions {
    if (!this.#tokens.accepts('(')) return {}
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

  #nestedOptions(known: ReadonlySet<NestedOptionName>, aliases: Map<string, Expression>): NestedOptions {
    let options: NestedOptions = {}
    do {
      if (this.#tokens.text.startsWith('@')) this.#parameterAlias(aliases)
      else options = { ...options, ...this.#option(known, options) }
    } while (this.#tokens.accepts(';'))
    this.#tokens.expect(')', 'expectedSemicolon')
    return options
  }

  #parameterAlias(aliases: Map<string, Expression>): void {
    const { text } = this.#tokens
    if (aliases.has(text)) throw this.#givenTwice()
    this.#expectEquals()
    this.#tokens.next()
    aliases.set(text, parseExpression(this.#tokens, this.#dialect))
  }

  #option(known: ReadonlySet<NestedOptionName>, given: NestedOptions): NestedOptions {
    const { kind, text } = this.#tokens
    const withoutDollar = text.toLowerCase().replace(/^\$/, '')
    const name = kind === 'word' ? optionNames.get(withoutDollar) : undefined
    if (name === undefined || !known.has(name)) throw this.#unknownOption(withoutDollar, known)
    if (given[name] !== undefined) throw this.#givenTwice()
    this.#expectEquals()
    this.#tokens.nextValueOf(name)
    return this.#value(name)
  }

  /** Advances to the `=` after a name. */
  #expectEquals(): void {
    this.#tokens.next()
    if (!this.#tokens.isAt('=')) throw this.#tokens.invalid(message('expectedSign', { sign: '=' }))
  }

  #value(name: NestedOptionName): NestedOptions {
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
        return { top: this.#tokens.parseWholeNumber(/^\d+$/, 'expectedCount') }
      case 'skip':
        return { skip: this.#tokens.parseWholeNumber(/^\d+$/, 'expectedCount') }
      case 'count':
        return { count: this.#boolean() }
    }
    if (this.#tokens.acceptsWord('max')) return { levels: 'max' }
    return { levels: this.#tokens.parseWholeNumber(/^[1-9]\d*$/, 'expectedLevels') }
  }

  #boolean(): boolean {
    const isTrue = this.#tokens.acceptsWord('true')
    if (!isTrue && !this.#tokens.acceptsWord('false')) throw this.#tokens.invalid('expectedTrueOrFalse')
    return isTrue
  }

  #givenTwice(): ApiError {
    const name = truncateName(this.#tokens.text)
    return this.#tokens.invalid(message('givenTwice', { name }))
  }

  #unknownOption(withoutDollar: string, known: ReadonlySet<NestedOptionName>): ApiError {
    const names = [...optionNames].filter(([, name]) => known.has(name)).map(([spelled]) => spelled)
    const options = names.map((name) => `$${name}`).join(', ')
    const suggestion = closestMatch(withoutDollar, names)
    const error = this.#tokens.invalid(
      message('expectedOption', { options }),
      suggestion === undefined ? suggestion : `$${suggestion}`,
    )
    if (known !== allowedOptions.properties) return error
    // Parameter names select an overload of a function: `$select=Function(one,two)`.
    this.#tokens.next()
    const isList = this.#tokens.isAt(',') || this.#tokens.isAt(')')
    return isList ? this.#tokens.unsupported('aFunctionInPath') : error
  }
}

type NestedOptionName = Exclude<keyof NestedOptions, 'aliases'>

/** In lower case and without the optional `$`. */
const optionNames: ReadonlyMap<string, NestedOptionName> = new Map(
  [
    ...(['select', 'expand', 'filter', 'orderBy', 'top', 'skip'] as const),
    ...(['count', 'search', 'levels', 'compute', 'apply'] as const),
  ].map((name) => [name.toLowerCase(), name]),
)

const filterOptions = ['filter', 'search'] as const
const pageOptions = [...filterOptions, 'orderBy', 'top', 'skip', 'count'] as const
const recordOptions = [...pageOptions, 'select', 'compute'] as const

/** OData 4.01 part 2, 5.1.3.1 (options allowed after `/$ref` and `/$count`) and 5.1.4. */
const allowedOptions = {
  records: new Set<NestedOptionName>([...recordOptions, 'expand', 'levels', 'apply']),
  references: new Set<NestedOptionName>(pageOptions),
  count: new Set<NestedOptionName>(filterOptions),
  properties: new Set<NestedOptionName>(recordOptions),
} as const
