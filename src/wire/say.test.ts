import { describe, expect, it } from 'vitest'
import { say } from './say.ts'

describe('a sentence', () => {
  it('is whole in either language', () => {
    const says = { field: 'Omsetning', expected: 'a number', found: 'an array' }
    expect(say('InvalidType', says, 'en')).toBe('Omsetning must be a number, not an array.')
    expect(say('InvalidType', says, 'nb')).toBe('Omsetning må være et tall, ikke en liste.')
  })

  it('leaves the words of callers as they are', () => {
    const says = { field: 'constructor', nearest: 'Dato' }
    expect(say('UnknownField', says, 'nb')).toContain('«constructor» finnes ikke. Mente du «Dato»?')
  })
})
