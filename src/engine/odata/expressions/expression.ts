// Parser of OData common expressions, driven by tables of operators, functions and literals.
import type { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode, type Says } from '../../../errors/messages.ts'
import { nearest } from '../../../lib/closest-match.ts'
import { readChoice } from './case-expression.ts'
import { Complexity } from './complexity.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { ExpressionStack, type Measured } from './expression-stack.ts'
import { readItems, readMembers } from '../lexer/json.ts'
import type { Inside } from './parse-context.ts'
import type { Tokens } from '../lexer/lexer.ts'
import {
  enumForm,
  geoPrefixes,
  literalType,
  literalWords,
  numberWords,
  quotedForms,
} from '../lexer/literals.ts'
import { readKeyed, readMember, refuseName } from './path-expression.ts'
import { infixOperators, prefixOperators } from './operators.ts'
import { shown, unreadable, unsupported } from '../options/option.ts'
import type { Expression, LiteralType } from './syntax.ts'

/** Parses one expression and stops at the first token that does not belong to it. */
export function readExpression(tokens: Tokens, dialect: Dialect): Expression {
  const complexity = new Complexity(tokens.option)
  return new Reader({ tokens, dialect, complexity }).read().node
}

/** The error for a token where only an operator, or the end, is allowed. */
export function unexpected(tokens: Tokens): Fault {
  const { option, kind, text, column } = tokens
  if (tokens.isAt(')')) return unreadable(option, column, phrase('bracketNeverOpened'))
  const meant = kind === 'word' ? nearest(text, infixOperators.keys()) : operatorBySign.get(text)
  return unreadable(option, column, phrase('expectedOperator'), meant)
}

/** Operators of other languages, for suggestions. */
const operatorBySign: ReadonlyMap<string, string> = new Map([
  ['=', 'eq'],
  ['!', 'ne'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['&', 'and'],
  ['|', 'or'],
])

interface FaultPlace {
  readonly column?: number
  readonly says?: Says
  readonly meant?: string | undefined
}

interface Reading {
  readonly tokens: Tokens
  readonly dialect: Dialect
  readonly complexity: Complexity
}

class Reader implements Inside {
  readonly tokens: Tokens
  readonly complexity: Complexity
  readonly #dialect: Dialect
  readonly #stack: ExpressionStack
  /** Inside JSON, where strings may have double quotes. */
  readonly #isJson: boolean

  constructor({ tokens, dialect, complexity }: Reading, isJson = false) {
    this.tokens = tokens
    this.complexity = complexity
    this.#dialect = dialect
    this.#stack = new ExpressionStack(tokens.option, complexity)
    this.#isJson = isJson
  }

  read(): Measured {
    do {
      while (!this.#parseOperand());
      while (this.#closeBracket());
    } while (this.#parseOperator())
    const bracket = this.#stack.completeItem()
    if (bracket === undefined) return this.#stack.whole()
    throw this.tokens.kind === 'end'
      ? this.#error('bracketNeverClosed', { column: bracket.column })
      : unexpected(this.tokens)
  }

  /** Parses a nested expression. */
  inside(): Measured {
    return this.#nested(false)
  }

  /** Parses a nested expression inside JSON. */
  insideJson(): Measured {
    return this.#nested(true)
  }

  #nested(isJson: boolean): Measured {
    const { tokens, complexity } = this
    return complexity.within(tokens.column, () =>
      new Reader({ tokens, complexity, dialect: this.#dialect }, isJson).read(),
    )
  }

  /** False when only a bracket or a prefix operator was read, and the operand is still to come. */
  #parseOperand(): boolean {
    const { kind, text, column } = this.tokens
    if (kind === 'word') return this.#parseWord(text, column)
    if (kind === 'text') return this.#pushLiteral('text', column)
    if (kind === 'literal') return this.#pushLiteral(this.#unquotedType(text), column)
    return this.#parsePunctuator(text, column)
  }

  #parsePunctuator(sign: string, column: number): boolean {
    if (sign === '(') return this.#openBracket(column)
    if (sign === '[') return this.#pushOperand(readItems(this))
    if (sign === '{') return this.#pushOperand(readMembers(this))
    if (this.#pushPrefixOperator(sign, column)) return false
    if (sign === '"' && this.#isJson) {
      this.tokens.takeJsonText()
      return this.#pushLiteral('text', column)
    }
    if (otherQuotes.has(sign)) throw this.#error('straightQuotes')
    throw this.#error(this.tokens.kind === 'end' ? 'expectedValueAtEnd' : 'expectedValue')
  }

  #parseWord(word: string, column: number): boolean {
    const lower = word.toLowerCase()
    if (this.#pushPrefixOperator(lower, column)) return false
    const { end } = this.tokens
    this.tokens.next()
    if (this.#dialect.datePrefixes.has(lower)) {
      if (this.tokens.kind === 'text') return this.#pushQuotedDate(column)
      if (this.tokens.isAt('(')) return this.#pushDateCall(column)
    }
    if (this.tokens.kind === 'text' && this.tokens.column === end)
      return this.#pushQuoted(word, column)
    if (this.tokens.isAt('(')) return this.#openCall(word, column)
    if (this.tokens.isAt('/'))
      return this.#pushOperand(readMember(this, { kind: 'name', name: word, column }))
    return this.#pushOperand({ node: this.#wordNode(word, column), depth: -1 })
  }

  #wordNode(word: string, column: number): Expression {
    const type = literalWords.get(word.toLowerCase())
    if (type !== undefined) return { kind: 'literal', type, value: word.toLowerCase(), column }
    if (numberWords.has(word)) return { kind: 'literal', type: 'number', value: word, column }
    // A primitive type, as the target type of `cast` or `isof`.
    if (word.startsWith('Edm.') && this.tokens.isAt(')'))
      return { kind: 'literal', type: 'text', value: word, column }
    refuseName(this.tokens, word, column)
    if (!word.startsWith('@')) return { kind: 'name', name: word, column }
    // An alias without a value is null (OData 4.01 part 2, 5.3).
    const given = this.#dialect.alias?.(word)
    return { ...(given ?? { kind: 'literal', type: 'null', value: 'null' }), column }
  }

  #pushPrefixOperator(word: string, column: number): boolean {
    const row = prefixOperators.get(word)
    if (row === undefined) return false
    this.#stack.wait(row, column)
    this.tokens.next()
    return true
  }

  #unquotedType(text: string): LiteralType {
    const type = literalType(text)
    if (type === undefined) throw this.#error('neitherNumberNorDate')
    return type
  }

  #pushOperand(operand: Measured): true {
    this.#stack.push(operand)
    return true
  }

  #pushLiteral(type: LiteralType, column: number, of: { readonly of?: string } = {}): true {
    const { text } = this.tokens
    this.tokens.next()
    return this.#pushOperand({
      node: { kind: 'literal', type, value: text, column, ...of },
      depth: -1,
    })
  }

  /** `duration'PT8H'`, or the members of an enumeration after its qualified name. */
  #pushQuoted(word: string, column: number): true {
    const prefix = word.toLowerCase()
    if (geoPrefixes.has(prefix))
      throw unsupported(this.tokens.option, column, phrase('theLiteral', { name: shown(word) }))
    const isQualified = word.includes('.')
    const form = isQualified ? enumForm : quotedForms.get(prefix)
    if (form === undefined) throw unexpected(this.tokens)
    if (!form.pattern.test(this.tokens.text))
      throw this.#error('notOfForm', { says: { name: shown(word) } })
    return this.#pushLiteral(form.type, column, isQualified ? { of: word } : {})
  }

  #pushQuotedDate(column: number): true {
    const type = this.tokens.kind === 'text' ? literalType(this.tokens.text) : undefined
    if (type !== 'date' && type !== 'dateTime')
      throw this.#error('expectedDate', { says: { example: this.#dialect.dateExample } })
    return this.#pushLiteral(type, column)
  }

  /** `datetime('2013-01-01')`. */
  #pushDateCall(column: number): true {
    this.tokens.next()
    this.#pushQuotedDate(column)
    if (!this.tokens.isAt(')')) throw this.#error('expectedBracket')
    this.tokens.next()
    return true
  }

  #openBracket(column: number): boolean {
    const kind = this.#stack.isBeforeList() ? 'list' : 'group'
    const items = kind === 'list' ? anyNumber : exactlyOne
    this.#stack.open({ kind, name: '', column, ...items })
    return this.#isEmptyCall()
  }

  #openCall(word: string, column: number): boolean {
    const name = word.toLowerCase()
    if (name === 'case') return this.#pushOperand(readChoice(this, column))
    const row = this.#dialect.functions.get(name)
    if (row === undefined) {
      refuseName(this.tokens, word, column)
      const meant = nearest(name, this.#dialect.functions.keys())
      if (meant === undefined && !this.#isBeforeEmptyBrackets())
        return this.#pushKeyed(word, column)
      throw this.#error('noFunction', { says: { name: shown(word) }, column, meant })
    }
    const { argsMin, argsMax } = row
    this.#stack.open({ kind: 'call', name, column, itemsMin: argsMin, itemsMax: argsMax })
    return this.#isEmptyCall()
  }

  /** `()`: empty brackets are not a key. */
  #isBeforeEmptyBrackets(): boolean {
    const start = this.tokens.mark()
    this.tokens.next()
    const isNothing = this.tokens.isAt(')')
    this.tokens.back(start)
    return isNothing
  }

  /** `Orders(7)/Amount`: the record with that key among those of the relation. */
  #pushKeyed(word: string, column: number): true {
    const name = readKeyed(this, { kind: 'name', name: word, column })
    if (this.tokens.isAt('/')) return this.#pushOperand(readMember(this, name))
    return this.#pushOperand({ node: name, depth: -1 })
  }

  /** `now()`: a call without arguments is complete. */
  #isEmptyCall(): boolean {
    this.tokens.next()
    return this.tokens.isAt(')')
  }

  #closeBracket(): boolean {
    if (!this.tokens.isAt(')')) return false
    const bracket = this.#stack.completeItem()
    if (bracket === undefined) return false
    this.#stack.close(bracket, this.tokens.column)
    this.tokens.next()
    return true
  }

  /** An operator or a comma, after which another operand follows. */
  #parseOperator(): boolean {
    const { kind, text, column } = this.tokens
    if (this.tokens.isAt(',')) {
      const bracket = this.#stack.completeItem()
      // A comma outside brackets belongs to the caller's list.
      if (bracket === undefined) return false
      this.#stack.nextItem(bracket, column)
    } else {
      const row = kind === 'word' ? infixOperators.get(text.toLowerCase()) : undefined
      if (row === undefined) return false
      this.#stack.wait(row, column)
    }
    this.tokens.next()
    return true
  }

  /** By default at the current token. */
  #error(
    problem: PhraseCode,
    { column = this.tokens.column, says = {}, meant }: FaultPlace = {},
  ): Fault {
    return unreadable(this.tokens.option, column, phrase(problem, says), meant)
  }
}

/** Characters that keyboards, editors and other languages use as quotes. */
const otherQuotes: ReadonlySet<string> = new Set(['"', '`', '´', '‘', '’', '‚', '‛', '“', '”', '„'])

const exactlyOne = { itemsMin: 1, itemsMax: 1 } as const
const anyNumber = { itemsMin: 0, itemsMax: Infinity } as const
