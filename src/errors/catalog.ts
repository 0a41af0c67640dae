// Error catalogue: every error code with its HTTP status and its message in both languages.
import { authErrors } from './catalog/auth.ts'
import { conflictErrors } from './catalog/conflict.ts'
import { queryErrors } from './catalog/query.ts'
import { requestErrors } from './catalog/request.ts'
import { serverErrors } from './catalog/server.ts'
import { interpolate, type Language, type MessageParams } from './messages.ts'

/** The message of an error code, with its placeholders replaced. */
export function errorMessage(code: ErrorCode, params: MessageParams, language: Language): string {
  const added = Object.entries(suffixes).filter(([name]) => params[name] !== undefined)
  const text = errorCatalog[code][language] + added.map(([, addition]) => addition[language]).join('')
  return interpolate(text, params, language)
}

const suffixes = {
  unknown: { en: ' Unknown names: {unknown}.', nb: ' Ukjente navn: {unknown}.' },
  nearest: { en: ' Did you mean "{nearest}"?', nb: ' Mente du «{nearest}»?' },
  limitName: { en: ' The limit is {limitName} in /limits.', nb: ' Grensen er {limitName} i /limits.' },
} as const

/** The catalogue. A released code is never renamed or reused, because callers branch on it. */
export const errorCatalog = {
  ...requestErrors,
  ...queryErrors,
  ...authErrors,
  ...conflictErrors,
  ...serverErrors,
} as const

export type ErrorCode = keyof typeof errorCatalog
