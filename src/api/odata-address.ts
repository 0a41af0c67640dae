// An address below a service root: `/prosjekt/Avdeling('10')/Ansatte`, `/odata/Ansatt/7`, `/ansatt/Ansatt/$count`.
import type { Schema } from '#model/schema.ts'
import { standard, type Dialect } from '#odata/dialect.ts'
import { parseResourcePath, type PathSegment } from '#odata/resource-path.ts'
import { resolveAddress, type Address } from '#plan/address.ts'

/** The first segment, as it was written. */
export const rootOf = (path: string): string => /^\/*([^/]*)/.exec(path)?.[1] ?? ''

/** What follows it. Throws `InvalidPath` for what cannot be read, `NotSupported` for what is not served. */
export const segmentsOf = (path: string, dialect: Dialect = standard): readonly PathSegment[] =>
  parseResourcePath(path.replace(/^\/*[^/]*\/*/, ''), dialect)

/** What it leads to; null where there is nothing. */
export const addressOf = (schema: Schema, path: string, dialect?: Dialect): Address | null =>
  resolveAddress(schema, segmentsOf(path, dialect))
