// Canaries: marked secrets that are detected in output in any encoding that a program might use.
import { randomBytes } from 'node:crypto'

export interface Canary {
  readonly name: string
  /** The secret as its owner sends it. */
  readonly secret: string
  /** The part that is searched for: letters and digits only, so that no escaping changes it. */
  readonly core: string
}

/** A secret with characters that every format escapes in its own way. */
export function newCanary(name: string): Canary {
  const core = randomBytes(12).toString('hex')
  return { name, secret: `Kånari "<&+%/ ${core}`, core }
}

/** The canaries found in the output, and their encodings. */
export function findCanaries(output: Buffer, canaries: readonly Canary[]): string[] {
  const text = output.toString('latin1')
  const anyCase = text.toLowerCase()
  return canaries.flatMap(({ name, core }) => {
    const found: string[] = []
    if (anyCase.includes(core.toLowerCase())) found.push(`${name}, plain`)
    if (anyCase.includes(Buffer.from(core).toString('hex'))) found.push(`${name}, in hexadecimal`)
    const base64 = base64Forms(core)
    const isInBase64 = base64.some((form) => text.includes(form) || text.includes(urlSafe(form)))
    if (isInBase64) found.push(`${name}, in base64`)
    return found
  })
}

/**
 * Base64 depends on the offset modulo 3; characters that neighbouring bytes influence are cut off.
 */
function base64Forms(core: string): string[] {
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.from('\0'.repeat(offset) + core).toString('base64')
    const start = Math.ceil((offset * 8) / 6)
    const end = Math.floor(((offset + core.length) * 8) / 6)
    return whole.slice(start, end)
  })
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_')
}
