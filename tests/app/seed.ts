// The TOTP seed that a page shows in base32.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function parseSeed(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
