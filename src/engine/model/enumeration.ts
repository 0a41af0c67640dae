// Enumeration values: the stored numbers and the member names on the wire.
import type { Enumeration } from './resource.ts'

/**
 * The number of `Red`, of `Red,Big` for flags, or of a plain number (OData 4.01 ABNF, enumValue). Null if one of them
 * is not a member. Names are case-insensitive.
 */
export function parseEnumValue({ members, isFlags }: Enumeration, text: string): number | null {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > 1 && isFlags !== true) return null
  let number = 0
  for (const part of parts) {
    const value = /^[+-]?\d+$/.test(part) ? Number(part) : findMember(members, part)
    if (value === undefined || !Number.isSafeInteger(value)) return null
    number = parts.length === 1 ? value : Number(BigInt(number) | BigInt(value))
  }
  return number
}

/** The member with this number, or the flags that it consists of; otherwise its digits (OData JSON 4.01, 7.1). */
export function formatEnumValue({ members, isFlags }: Enumeration, number: number): string {
  const match = Object.entries(members).find(([, one]) => one === number)
  if (match !== undefined) return match[0]
  if (isFlags !== true) return String(number)
  const set = singleBitMembers(members).filter(([, bit]) => (BigInt(number) & BigInt(bit)) !== 0n)
  const all = set.reduce((sum, [, bit]) => sum + bit, 0)
  return set.length > 0 && all === number ? set.map(([name]) => name).join(',') : String(number)
}

/** The members with a single bit. */
export function singleBitMembers(members: Enumeration['members']): readonly (readonly [string, number])[] {
  return Object.entries(members).filter(([, one]) => one > 0 && Number.isInteger(Math.log2(one)))
}

function findMember(members: Enumeration['members'], name: string): number | undefined {
  const lower = name.toLowerCase()
  return Object.entries(members).find(([one]) => one.toLowerCase() === lower)?.[1]
}
