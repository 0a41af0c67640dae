// Parser of property paths: names separated by slashes.
import { phrase } from '../../../errors/messages.ts'
import type { Tokens } from '../lexer/lexer.ts'
import { unreadable, unsupported } from '../options/option.ts'
import type { Name } from '../expressions/syntax.ts'

/** Parses one path. */
export function readPath(tokens: Tokens): Name[] {
  const names = [readName(tokens)]
  while (tokens.isAt('/')) {
    tokens.next()
    names.push(readName(tokens))
  }
  return names
}

/** Parses paths until no comma follows. */
export function readPaths(tokens: Tokens): Name[][] {
  const paths = [readPath(tokens)]
  while (tokens.isAt(',')) {
    tokens.next()
    paths.push(readPath(tokens))
  }
  return paths
}

function readName(tokens: Tokens): Name {
  const { option, kind, text, column } = tokens
  if (kind === 'word' && text.startsWith('@'))
    throw unsupported(option, column, phrase('anAnnotation'))
  if (kind !== 'word' || text.startsWith('$'))
    throw unreadable(option, column, phrase('expectedPropertyName'))
  if (text.includes('.')) throw unsupported(option, column, phrase('aTypeCast'))
  tokens.next()
  return { kind: 'name', name: text, column }
}
