// An address below a service root: `/prosjekt/Avdeling('10')`, `/odata/Ansatt/7`, `/ansatt/Ansatt/$count`.
import { Fault } from '#faults.ts'

export interface ServiceAddress {
  /** As it was written. */
  readonly root: string
  /** In lower case. */
  readonly set: string
  /** What stands in brackets behind the set, byte for byte; null without. */
  readonly key: string | null
  /** The segment behind the set, decoded; null without. */
  readonly rest: string | null
}

/** Null where the address has another form. Doubled and trailing slashes mean nothing; `%2f` is no slash. */
export const serviceAddress = (path: string): ServiceAddress | null => {
  const [root = '', named = '', rest, ...more] = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded)
  const [, set, key] = /^([\p{L}_][\p{L}\p{N}_]*)(?:\((.*)\))?$/su.exec(named) ?? []
  if (set === undefined || more.length > 0) return null
  return { root, set: set.toLowerCase(), key: key ?? null, rest: rest ?? null }
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Fault('InvalidEncoding')
  }
}
