// Enumeration values: the stored numbers and the member names on the wire.
import type { Enumeration } from './resource.ts'

/**
 * The number of `Red`, of `Red,Big` for flags, or of a plain number (OData 4.01 ABNF, enumValue). Null if one of them
 * is not a member. Names are case-insensitive.
 */
export function numberOfMembers({ members, isFlags }: Enumeration, text: string): number | null {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > 1 && isFlags !== true) return null
  let number = 0
  for (const part of parts) {
    const own = /^[+-]?\d+$/.test(part) ? Number(part) : memberNamed(members, part)
    if (own === undefined || !Number.isSafeInteger(own)) return null
    number = parts.length === 1 ? own : Number(BigInt(number) | BigInt(own))
  }
  return number
}

/** The member with this number, or the flags that it consists of; otherwise its digits (OData JSON 4.01, 7.1). */
export function writeMembers({ members, isFlags }: Enumeration, number: number): string {
  const exact = Object.entries(members).find(([, one]) => one === number)
  if (exact !== undefined) return exact[0]
  if (isFlags !== true) return String(number)
  const set = flagsOf(members).filter(([, bit]) => (BigInt(number) & BigInt(bit)) !== 0n)
  const all = set.reduce((sum, [, bit]) => sum + bit, 0)
  return set.length > 0 && all === number ? set.map(([name]) => name).join(',') : String(number)
}

/** The members with a single bit. */
export function flagsOf(members: Enumeration['members']): readonly (readonly [string, number])[] {
  return Object.entries(members).filter(([, one]) => one > 0 && Number.isInteger(Math.log2(one)))
}

function memberNamed(members: Enumeration['members'], name: string): number | undefined {
  const lower = name.toLowerCase()
  return Object.entries(members).find(([one]) => one.toLowerCase() === lower)?.[1]
}
