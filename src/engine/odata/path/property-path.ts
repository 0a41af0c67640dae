// Parser of property paths: names separated by slashes.
import type { TokenStream } from '../lexer/lexer.ts'
import type { NameNode } from '../expressions/syntax.ts'

export function parsePropertyPath(tokens: TokenStream): NameNode[] {
  const names = [parseName(tokens)]
  while (tokens.accepts('/')) names.push(parseName(tokens))
  return names
}

/** Parses paths until no comma follows. */
export function parsePropertyPaths(tokens: TokenStream): NameNode[][] {
  return tokens.parseItems(() => parsePropertyPath(tokens))
}

function parseName(tokens: TokenStream): NameNode {
  const { kind, text, column } = tokens
  if (kind === 'word' && text.startsWith('@')) throw tokens.unsupported('anAnnotation')
  if (kind !== 'word' || text.startsWith('$')) throw tokens.invalid('expectedPropertyName')
  if (text.includes('.')) throw tokens.unsupported('aTypeCast')
  tokens.next()
  return { kind: 'name', name: text, column }
}
