// The OpenAPI document as one company sees it: with the settings of the company (ADR 0060).
import type { Company } from '../../auth/caller.ts'

export interface OpenapiDocument {
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

/** Adds `info.x-company`: when its days end, and whether its amounts contain tax. No record is changed by them. */
export function documentFor(
  document: OpenapiDocument,
  { name, zone, currency, settings: { dayEndsAt, amounts } }: Company,
): OpenapiDocument {
  const company = { name, timezone: zone, currency, dayEndsAt, amounts }
  return { ...document, info: { ...document.info, 'x-company': company } }
}
