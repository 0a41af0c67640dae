// Reads common expressions of OData from tokens, by the tables of operators, functions and literals.
import type { Fault } from '#faults.ts'
import { phrase, type PhraseCode, type Says } from '#phrases.ts'
import { nearest } from '#lib/nearest.ts'
import type { Dialect } from '#odata/dialect.ts'
import { ExpressionStack } from '#odata/expression-stack.ts'
import type { Tokens } from '#odata/lex.ts'
import { literalType, literalWords } from '#odata/literals.ts'
import { infixOperators, prefixOperators } from '#odata/operators.ts'
import { shown, unreadable } from '#odata/option.ts'
import type { Expression, LiteralType } from '#odata/syntax.ts'

/** Reads one expression and stops at the first token that does not belong to it. */
export const readExpression = (tokens: Tokens, dialect: Dialect): Expression =>
  new Reader(tokens, dialect).read()

/** The refusal of a token that stands where only an operator, or the end, could. */
export const unexpected = (tokens: Tokens): Fault => {
  const { option, kind, text, column } = tokens
  if (tokens.isAt(')')) return unreadable(option, column, phrase('bracketNeverOpened'))
  const meant = kind === 'word' ? nearest(text, infixOperators.keys()) : operatorBySign.get(text)
  return unreadable(option, column, phrase('expectedOperator'), meant)
}

/** What those mean who write another language. */
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

class Reader {
  readonly #tokens: Tokens
  readonly #dialect: Dialect
  readonly #stack: ExpressionStack

  constructor(tokens: Tokens, dialect: Dialect) {
    this.#tokens = tokens
    this.#dialect = dialect
    this.#stack = new ExpressionStack(tokens.option)
  }

  read(): Expression {
    do {
      while (!this.#readsOperand());
      while (this.#closesBracket());
    } while (this.#readsOperator())
    const bracket = this.#stack.completeItem()
    if (bracket === undefined) return this.#stack.whole()
    throw this.#tokens.kind === 'end'
      ? this.#fault('bracketNeverClosed', { column: bracket.column })
      : unexpected(this.#tokens)
  }

  /** False when something was only opened, and the operand is still to come. */
  #readsOperand(): boolean {
    const { kind, text, column } = this.#tokens
    if (kind === 'word') return this.#readsWord(text, column)
    if (kind === 'text') return this.#takeLiteral('text', column)
    if (kind === 'run') return this.#takeLiteral(this.#runType(text), column)
    if (this.#tokens.isAt('(')) return this.#opensBracket(column)
    if (this.#waitsAsPrefix(text, column)) return false
    if (otherQuotes.has(text)) throw this.#fault('straightQuotes')
    throw this.#fault(kind === 'end' ? 'expectedValueAtEnd' : 'expectedValue')
  }

  #readsWord(word: string, column: number): boolean {
    const lower = word.toLowerCase()
    if (this.#waitsAsPrefix(lower, column)) return false
    this.#tokens.next()
    if (this.#dialect.datePrefixes.has(lower)) {
      if (this.#tokens.kind === 'text') return this.#takeQuotedDate(column)
      if (this.#tokens.isAt('(')) return this.#takeDateCall(column)
    }
    if (this.#tokens.isAt('(')) return this.#opensCall(word, column)
    const type = literalWords.get(lower)
    if (type === undefined) this.#stack.push({ kind: 'name', name: word, column })
    else this.#stack.push({ kind: 'literal', type, value: lower, column })
    return true
  }

  #waitsAsPrefix(word: string, column: number): boolean {
    const row = prefixOperators.get(word)
    if (row === undefined) return false
    this.#stack.wait(row, column)
    this.#tokens.next()
    return true
  }

  #runType(text: string): LiteralType {
    const type = literalType(text)
    if (type === undefined) throw this.#fault('neitherNumberNorDate')
    return type
  }

  #takeLiteral(type: LiteralType, column: number): true {
    this.#stack.push({ kind: 'literal', type, value: this.#tokens.text, column })
    this.#tokens.next()
    return true
  }

  #takeQuotedDate(column: number): true {
    const type = this.#tokens.kind === 'text' ? literalType(this.#tokens.text) : undefined
    if (type !== 'date' && type !== 'dateTime')
      throw this.#fault('expectedDate', { says: { example: this.#dialect.dateExample } })
    return this.#takeLiteral(type, column)
  }

  /** `datetime('2013-01-01')`. */
  #takeDateCall(column: number): true {
    this.#tokens.next()
    this.#takeQuotedDate(column)
    if (!this.#tokens.isAt(')')) throw this.#fault('expectedBracket')
    this.#tokens.next()
    return true
  }

  #opensBracket(column: number): boolean {
    const kind = this.#stack.isBeforeList() ? 'list' : 'group'
    const items = kind === 'list' ? anyNumber : exactlyOne
    this.#stack.open({ kind, name: '', column, ...items })
    return this.#closesAtOnce()
  }

  #opensCall(word: string, column: number): boolean {
    const name = word.toLowerCase()
    const row = this.#dialect.functions.get(name)
    if (row === undefined) {
      const meant = nearest(name, this.#dialect.functions.keys())
      throw this.#fault('noFunction', { says: { name: shown(word) }, column, meant })
    }
    const { argsMin, argsMax } = row
    this.#stack.open({ kind: 'call', name, column, itemsMin: argsMin, itemsMax: argsMax })
    return this.#closesAtOnce()
  }

  /** `now()`: the operand is complete without anything inside. */
  #closesAtOnce(): boolean {
    this.#tokens.next()
    return this.#tokens.isAt(')')
  }

  #closesBracket(): boolean {
    if (!this.#tokens.isAt(')')) return false
    const bracket = this.#stack.completeItem()
    if (bracket === undefined) return false
    this.#stack.close(bracket, this.#tokens.column)
    this.#tokens.next()
    return true
  }

  /** An operator or a comma, after which another operand comes. */
  #readsOperator(): boolean {
    const { kind, text, column } = this.#tokens
    if (this.#tokens.isAt(',')) {
      const bracket = this.#stack.completeItem()
      // A comma outside of brackets belongs to whoever asked for the expression.
      if (bracket === undefined) return false
      this.#stack.nextItem(bracket, column)
    } else {
      const row = kind === 'word' ? infixOperators.get(text.toLowerCase()) : undefined
      if (row === undefined) return false
      this.#stack.wait(row, column)
    }
    this.#tokens.next()
    return true
  }

  /** Where nothing else is said, at the token it stands at. */
  #fault(
    problem: PhraseCode,
    { column = this.#tokens.column, says = {}, meant }: FaultPlace = {},
  ): Fault {
    return unreadable(this.#tokens.option, column, phrase(problem, says), meant)
  }
}

/** What keyboards, editors and other languages make of a quote. */
const otherQuotes: ReadonlySet<string> = new Set(['"', '`', '´', '‘', '’', '‚', '‛', '“', '”', '„'])

const exactlyOne = { itemsMin: 1, itemsMax: 1 } as const
const anyNumber = { itemsMin: 0, itemsMax: Infinity } as const
