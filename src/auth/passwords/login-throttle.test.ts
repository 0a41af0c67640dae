import { expect, test } from 'vitest'
import { LoginThrottle, type LoginAttempt } from './login-throttle.ts'

const till: LoginAttempt = {
  pair: 'one',
  company: 'fjord',
  network: '10.0.0.1',
  isKnown: false,
  wasVerified: false,
}
const knownTill: LoginAttempt = { ...till, isKnown: true }

function make() {
  let nowMs = 1_000_000_000
  const limiter = new LoginThrottle(() => nowMs)
  return {
    limiter,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Whether a wrong password was checked. */
    guess: (trial: LoginAttempt) => {
      const admitted = limiter.admit(trial)
      if (typeof admitted === 'number') return false
      admitted.fail()
      return true
    },
    isServed: (trial: LoginAttempt) => {
      const admitted = limiter.admit(trial)
      if (typeof admitted === 'number') return false
      admitted.release()
      return true
    },
  }
}

test('seven wrong passwords a minute are checked for one company from an unknown network', () => {
  const { guess, pass } = make()
  let evaluated = 0
  for (let i = 0; i < 10_000; i++) {
    if (guess(till)) evaluated++
    pass(5)
  }
  expect(evaluated).toBe(7)
})

test('ten a minute are checked from a known network, three of them for retries', () => {
  const { guess, pass } = make()
  const evaluatedAt: number[] = []
  for (let at = 0; at < 40 * 60_000; at += 250) {
    // The attacker knows the rule and sends each guess four times.
    if (guess({ ...knownTill, pair: `guess ${Math.floor(at / 1000)}` })) evaluatedAt.push(at)
    pass(250)
  }
  const inMinuteFrom = (start: number) =>
    evaluatedAt.filter((at) => at >= start && at < start + 60_000).length
  expect(Math.max(...evaluatedAt.map(inMinuteFrom))).toBe(10)
})

test('a retried pair is checked despite an attacker, after a short wait', () => {
  const { limiter, guess, isServed } = make()
  for (let i = 0; i < 1_000; i++) guess({ ...knownTill, pair: `guess ${i}` })
  const honest = { ...knownTill, pair: 'honest' }
  expect(limiter.admit(honest)).toBe(2_000)
  expect(isServed(honest)).toBe(true)
  expect(isServed({ ...honest, pair: 'elsewhere', network: '10.0.0.2' })).toBe(true)
})

test('a recently verified pair never waits', () => {
  const { guess, isServed } = make()
  for (let i = 0; i < 1_000; i++) guess({ ...knownTill, pair: `guess ${i % 500}` })
  expect(isServed({ ...knownTill, pair: 'honest', wasVerified: true })).toBe(true)
})

test('unknown networks have no attempts reserved for retries', () => {
  const { guess, isServed } = make()
  for (let i = 0; i < 1_000; i++) guess({ ...till, pair: `guess ${i}` })
  for (let i = 0; i < 10; i++) expect(isServed({ ...till, pair: 'honest' })).toBe(false)
})

test('the pause doubles with each lockout, up to 15 minutes', () => {
  const { limiter, guess, pass } = make()
  const pauses: number[] = []
  for (let round = 0; round < 7; round++) {
    while (guess(till));
    const waitMs = limiter.admit(till)
    if (typeof waitMs !== 'number') throw new Error('not limited')
    pauses.push(waitMs / 60_000)
    pass(waitMs)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 15, 15, 15])
})

test('a quiet hour resets the pause', () => {
  const { limiter, guess, pass } = make()
  while (guess(till));
  pass(2 * 3_600_000)
  while (guess(till));
  expect(limiter.admit(till)).toBe(60_000)
})

test('valid passwords are not counted', () => {
  const { isServed } = make()
  for (let i = 0; i < 1_000; i++) expect(isServed(till)).toBe(true)
})

test('attackers from a thousand networks get 100 guesses an hour at one company', () => {
  const { guess, pass } = make()
  let evaluated = 0
  for (let i = 0; i < 10_000; i++) {
    if (guess({ ...till, network: `10.1.${i % 4}.${i % 250}` })) evaluated++
    pass(300)
  }
  expect(evaluated).toBeLessThanOrEqual(100)
})

test('attackers do not lock out a client of a known network', () => {
  const { guess, isServed } = make()
  for (let i = 0; i < 1_000; i++) guess({ ...till, network: `10.2.${i % 4}.${i % 250}` })
  expect(isServed({ ...till, network: '10.9.9.9' })).toBe(false)
  expect(isServed({ ...till, network: '10.9.9.9', isKnown: true })).toBe(true)
})

test('one network gets 60 guesses a minute across all companies', () => {
  const { guess, pass } = make()
  let evaluated = 0
  for (let i = 0; i < 5_900; i++) {
    if (guess({ ...till, company: `firma${i % 1_000}` })) evaluated++
    pass(10)
  }
  expect(evaluated).toBe(60)
})

test('guesses at one company do not affect others', () => {
  const { guess, isServed } = make()
  while (guess(till));
  expect(isServed({ ...till, company: 'fjell' })).toBe(true)
  expect(isServed({ ...till, network: '10.0.0.2' })).toBe(true)
})

test('attempts in progress count, so that a burst cannot bypass the limit', () => {
  const { limiter } = make()
  const admitted = Array.from({ length: 500 }, () => limiter.admit(till))
  expect(admitted.filter((one) => typeof one !== 'number').length).toBe(7)
  for (const one of admitted) if (typeof one !== 'number') one.release()
  expect(typeof limiter.admit(till)).not.toBe('number')
})
