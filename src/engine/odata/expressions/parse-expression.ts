// Parser of OData common expressions, driven by tables of operators, functions and literals.
import { message } from '../../../errors/messages.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import { ComplexityCounter } from './complexity.ts'
import type { Dialect } from '../dialect.ts'
import { ExpressionStack, type NodeWithDepth } from './expression-stack.ts'
import { parseArray, parseObject } from './json-value.ts'
import type { ParseContext } from './parse-context.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import {
  datePrefix,
  enumForm,
  geographyPrefixes,
  literalType,
  keywordLiterals,
  numberKeywords,
  prefixedForms,
  withoutNumberSuffix,
} from '../lexer/literals.ts'
import { parseKeyedName, parsePathExpression, requireSupportedName } from './path-expression.ts'
import { infixOperators, prefixOperators } from './operators.ts'
import { truncateName, invalidOptionError, unsupportedError } from '../options/option.ts'
import { unexpectedTokenError } from '../options/whole-option.ts'
import type { CaseBranch, Expression, LiteralType } from './syntax.ts'

/** Parses one expression and stops at the first token that does not belong to it. */
export function parseExpression(tokens: TokenStream, dialect: Dialect): Expression {
  const complexity = new ComplexityCounter(tokens.option)
  return new ExpressionParser({ tokens, dialect, complexity }).parse().node
}

interface ParserState {
  readonly tokens: TokenStream
  readonly dialect: Dialect
  readonly complexity: ComplexityCounter
}

class ExpressionParser implements ParseContext {
  readonly tokens: TokenStream
  readonly complexity: ComplexityCounter
  readonly #dialect: Dialect
  readonly #stack: ExpressionStack
  /** Inside JSON, where strings may have double quotes. */
  readonly #isJson: boolean

  constructor({ tokens, dialect, complexity }: ParserState, syntax?: 'json') {
    this.tokens = tokens
    this.complexity = complexity
    this.#dialect = dialect
    this.#stack = new ExpressionStack(tokens.option, complexity)
    this.#isJson = syntax === 'json'
  }

  parse(): NodeWithDepth {
    do {
      while (!this.#parseOperand());
      while (this.#closeBracket());
    } while (this.#parseOperator())
    const bracket = this.#stack.reduceItem()
    if (bracket === undefined) return this.#stack.result()
    if (this.tokens.kind !== 'end') throw unexpectedTokenError(this.tokens)
    throw invalidOptionError(this.tokens.option, bracket.column, 'parenthesisNotClosed')
  }

  parseNested(syntax?: 'json'): NodeWithDepth {
    const { tokens, complexity } = this
    return complexity.nested(tokens.column, () =>
      new ExpressionParser({ tokens, complexity, dialect: this.#dialect }, syntax).parse(),
    )
  }

  /** False when only a bracket or a prefix operator was read, and the operand is still to come. */
  #parseOperand(): boolean {
    const { kind, text, column } = this.tokens
    if (kind === 'word') return this.#parseWord(text, column)
    if (kind === 'text') return this.#pushLiteral('text', column)
    if (kind === 'literal') return this.#pushUnquoted(text, column)
    return this.#parsePunctuator(text, column)
  }

  #parsePunctuator(sign: string, column: number): boolean {
    if (sign === '(') return this.#openBracket(column)
    if (sign === '[') return this.#pushOperand(parseArray(this))
    if (sign === '{') return this.#pushOperand(parseObject(this))
    if (this.#pushPrefixOperator(sign, column)) return false
    if (sign === '"' && this.#isJson) {
      this.tokens.readJsonString()
      return this.#pushLiteral('text', column)
    }
    if (otherQuotes.has(sign)) throw this.tokens.invalid('expectedStraightQuotes')
    throw this.tokens.invalid(this.tokens.kind === 'end' ? 'expectedValueAtEnd' : 'expectedValue')
  }

  #parseWord(word: string, column: number): boolean {
    const lower = word.toLowerCase()
    if (this.#pushPrefixOperator(lower, column)) return false
    const { end } = this.tokens
    this.tokens.next()
    if (lower === datePrefix) {
      if (this.tokens.kind === 'text') return this.#pushQuotedDate(column)
      if (this.tokens.isAt('(')) return this.#pushDateCall(column)
    }
    if (this.tokens.kind === 'text' && this.tokens.column === end) return this.#pushQuoted(word, column)
    if (this.tokens.isAt('(')) return this.#openCall(word, column)
    if (this.tokens.isAt('/')) return this.#pushOperand(parsePathExpression(this, { kind: 'name', name: word, column }))
    return this.#pushOperand({ node: this.#wordNode(word, column), depth: -1 })
  }

  #wordNode(word: string, column: number): Expression {
    const type = keywordLiterals.get(word.toLowerCase())
    if (type !== undefined) return { kind: 'literal', type, value: word.toLowerCase(), column }
    if (numberKeywords.has(word)) return { kind: 'literal', type: 'number', value: word, column }
    // A primitive type, as the target type of `cast` or `isof`.
    if (word.startsWith('Edm.') && this.tokens.isAt(')')) return { kind: 'literal', type: 'text', value: word, column }
    requireSupportedName(this.tokens, word, column)
    if (!word.startsWith('@')) return { kind: 'name', name: word, column }
    // An alias without a value is null (OData 4.01 part 2, 5.3).
    const given = this.#dialect.resolveAlias?.(word)
    return { ...(given ?? { kind: 'literal', type: 'null', value: 'null' }), column }
  }

  #pushPrefixOperator(word: string, column: number): boolean {
    const row = prefixOperators.get(word)
    if (row === undefined) return false
    this.#stack.pushOperator(row, column)
    this.tokens.next()
    return true
  }

  #pushUnquoted(text: string, column: number): true {
    const value = this.#dialect.hasNumberSuffixes ? withoutNumberSuffix(text) : text
    const type = literalType(value)
    if (type === undefined) throw this.tokens.invalid('invalidNumberOrDate')
    this.tokens.next()
    return this.#pushOperand({ node: { kind: 'literal', type, value, column }, depth: -1 })
  }

  #pushOperand(operand: NodeWithDepth): true {
    this.#stack.pushOperand(operand)
    return true
  }

  #pushLiteral(type: LiteralType, column: number, named: { readonly enumeration?: string } = {}): true {
    const { text } = this.tokens
    this.tokens.next()
    return this.#pushOperand({ node: { kind: 'literal', type, value: text, column, ...named }, depth: -1 })
  }

  /** `duration'PT8H'`, or the members of an enumeration after its qualified name. */
  #pushQuoted(word: string, column: number): true {
    const prefix = word.toLowerCase()
    if (geographyPrefixes.has(prefix))
      throw unsupportedError(this.tokens.option, column, message('theLiteral', { name: truncateName(word) }))
    const isQualified = word.includes('.')
    const form = isQualified ? enumForm : prefixedForms.get(prefix)
    if (form === undefined) throw unexpectedTokenError(this.tokens)
    if (!form.pattern.test(this.tokens.text))
      throw this.tokens.invalid(message('invalidLiteral', { name: truncateName(word) }))
    return this.#pushLiteral(form.type, column, isQualified ? { enumeration: word } : {})
  }

  #pushQuotedDate(column: number): true {
    const type = this.tokens.kind === 'text' ? literalType(this.tokens.text) : undefined
    if (type !== 'date' && type !== 'dateTime')
      throw this.tokens.invalid(message('expectedDate', { example: this.#dialect.dateExample }))
    return this.#pushLiteral(type, column)
  }

  /** `datetime('2013-01-01')`. */
  #pushDateCall(column: number): true {
    this.tokens.next()
    this.#pushQuotedDate(column)
    this.tokens.expect(')')
    return true
  }

  #openBracket(column: number): boolean {
    const kind = this.#stack.isBeforeList() ? 'list' : 'group'
    const items = kind === 'list' ? anyNumber : exactlyOne
    this.#stack.openBracket({ kind, name: '', column, ...items })
    return this.#skipOpeningBracket()
  }

  /**
   * `case(condition:value,…)`, whose value is that of the first condition that is true. Starts at the opening bracket.
   */
  #parseCase(column: number): NodeWithDepth {
    const { tokens } = this
    const branches: CaseBranch[] = []
    let depth = 0
    do {
      this.complexity.countNode(tokens.column)
      tokens.next()
      const condition = this.parseNested()
      tokens.expect(':', 'expectedColon')
      const value = this.parseNested()
      branches.push({ condition: condition.node, value: value.node })
      depth = Math.max(depth, condition.depth + 1, value.depth + 1)
    } while (tokens.isAt(','))
    tokens.expect(')')
    return { node: { kind: 'case', branches, column }, depth }
  }

  #openCall(word: string, column: number): boolean {
    const name = word.toLowerCase()
    if (name === 'case') return this.#pushOperand(this.#parseCase(column))
    const signature = this.#dialect.functions.get(name)
    if (signature === undefined) {
      requireSupportedName(this.tokens, word, column)
      const suggestion = closestMatch(name, this.#dialect.functions.keys())
      if (suggestion === undefined && this.#isBeforeKey()) return this.#pushKeyed(word, column)
      const problem = message('unknownFunction', { name: truncateName(word) })
      throw invalidOptionError(this.tokens.option, column, problem, suggestion)
    }
    const { argsMin, argsMax } = signature
    this.#stack.openBracket({ kind: 'call', name, column, itemsMin: argsMin, itemsMax: argsMax })
    return this.#skipOpeningBracket()
  }

  /** Whether the brackets can contain a key: they contain something, and no property, which would be an argument. */
  #isBeforeKey(): boolean {
    const start = this.tokens.savePosition()
    this.tokens.next()
    let isKey = !this.tokens.isAt(')')
    const { kind, text } = this.tokens
    if (kind === 'word' && !text.startsWith('@') && !keywordLiterals.has(text.toLowerCase())) {
      this.tokens.next()
      isKey = this.tokens.isAt('=') || this.tokens.kind === 'text'
    }
    this.tokens.restore(start)
    return isKey
  }

  /** `Orders(7)/Amount`: the record with that key among those of the relation. */
  #pushKeyed(word: string, column: number): true {
    const name = parseKeyedName(this, { kind: 'name', name: word, column })
    if (this.tokens.isAt('/')) return this.#pushOperand(parsePathExpression(this, name))
    return this.#pushOperand({ node: name, depth: -1 })
  }

  /** True if the closing bracket follows: `now()`, a call without arguments, is complete. */
  #skipOpeningBracket(): boolean {
    this.tokens.next()
    return this.tokens.isAt(')')
  }

  #closeBracket(): boolean {
    if (!this.tokens.isAt(')')) return false
    const bracket = this.#stack.reduceItem()
    if (bracket === undefined) return false
    this.#stack.closeBracket(bracket, this.tokens.column)
    this.tokens.next()
    return true
  }

  /** An operator or a comma, after which another operand follows. */
  #parseOperator(): boolean {
    const { kind, text, column } = this.tokens
    if (this.tokens.isAt(',')) {
      const bracket = this.#stack.reduceItem()
      // A comma outside brackets belongs to the caller's list.
      if (bracket === undefined) return false
      this.#stack.startNextItem(bracket, column)
    } else {
      const operator = kind === 'word' ? infixOperators.get(text.toLowerCase()) : undefined
      if (operator === undefined) return false
      this.#stack.pushOperator(operator, column)
    }
    this.tokens.next()
    return true
  }
}

/** Characters that keyboards, editors and other languages use as quotes. */
const otherQuotes: ReadonlySet<string> = new Set(['"', '`', '´', '‘', '’', '‚', '‛', '“', '”', '„'])

const exactlyOne = { itemsMin: 1, itemsMax: 1 } as const
const anyNumber = { itemsMin: 0, itemsMax: Infinity } as const
