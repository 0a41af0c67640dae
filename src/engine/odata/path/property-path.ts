// Parser of property paths: names separated by slashes.
import { message } from '../../../errors/messages.ts'
import type { TokenStream } from '../lexer/lexer.ts'
import { invalidOptionError, unsupportedError } from '../options/option.ts'
import type { NameNode } from '../expressions/syntax.ts'

/** Parses one path. */
export function parsePropertyPath(tokens: TokenStream): NameNode[] {
  const names = [parseName(tokens)]
  while (tokens.isAt('/')) {
    tokens.next()
    names.push(parseName(tokens))
  }
  return names
}

/** Parses paths until no comma follows. */
export function parsePropertyPaths(tokens: TokenStream): NameNode[][] {
  const paths = [parsePropertyPath(tokens)]
  while (tokens.isAt(',')) {
    tokens.next()
    paths.push(parsePropertyPath(tokens))
  }
  return paths
}

function parseName(tokens: TokenStream): NameNode {
  const { option, kind, text, column } = tokens
  if (kind === 'word' && text.startsWith('@'))
    throw unsupportedError(option, column, message('anAnnotation'))
  if (kind !== 'word' || text.startsWith('$'))
    throw invalidOptionError(option, column, message('expectedPropertyName'))
  if (text.includes('.')) throw unsupportedError(option, column, message('aTypeCast'))
  tokens.next()
  return { kind: 'name', name: text, column }
}
