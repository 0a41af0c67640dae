// Parser of property paths: names separated by slashes.
import type { MessageCode } from '../../../errors/messages.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import type { NameNode } from '../expressions/syntax.ts'

export function parsePropertyPath(tokens: TokenStream): NameNode[] {
  const names = [parsePropertyName(tokens, 'expectedPropertyName')]
  while (tokens.accepts('/')) names.push(parsePropertyName(tokens, 'expectedPropertyName'))
  return names
}

/** Parses paths until no comma follows. */
export function parsePropertyPaths(tokens: TokenStream): NameNode[][] {
  return tokens.parseItems(() => parsePropertyPath(tokens))
}

/** `problem` describes what is expected. */
export function parsePropertyName(tokens: TokenStream, problem: MessageCode): NameNode {
  const { kind, text, column } = tokens
  if (kind !== 'word' || text.startsWith('$')) throw tokens.invalid(problem)
  if (text.startsWith('@')) throw tokens.unsupported('anAnnotation')
  if (text.includes('.')) throw tokens.unsupported('aTypeCast')
  tokens.next()
  return { kind: 'name', name: text, column }
}

/** A name that the request defines: an alias, or a lambda variable. */
export function parseNewName(tokens: TokenStream, problem: MessageCode): NameNode {
  const { kind, text, column } = tokens
  if (kind !== 'word' || /^[$@]|\./.test(text)) throw tokens.invalid(problem)
  tokens.next()
  return { kind: 'name', name: text, column }
}
