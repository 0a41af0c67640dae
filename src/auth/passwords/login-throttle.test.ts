import { expect, test } from 'vitest'
import { LoginThrottle, type LoginAttempt } from './login-throttle.ts'

const client: LoginAttempt = { pair: 'one', company: 'fjord', network: '10.0.0.1', isKnown: false, wasVerified: false }
const knownClient: LoginAttempt = { ...client, isKnown: true }

function createThrottle() {
  let nowMs = 1_000_000_000
  const limiter = new LoginThrottle(() => nowMs)
  return {
    limiter,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Whether a wrong password was checked. */
    guess: (attempt: LoginAttempt) => {
      const admitted = limiter.admit(attempt)
      if (typeof admitted === 'number') return false
      admitted.fail()
      return true
    },
    isServed: (attempt: LoginAttempt) => {
      const admitted = limiter.admit(attempt)
      if (typeof admitted === 'number') return false
      admitted.release()
      return true
    },
  }
}

test('seven wrong passwords a minute are checked for one company from an unknown network', () => {
  const { guess, pass } = createThrottle()
  let evaluated = 0
  for (let i = 0; i < 10_000; i++) {
    if (guess(client)) evaluated++
    pass(5)
  }
  expect(evaluated).toBe(7)
})

test('ten a minute are checked from a known network, three of them for retries', () => {
  const { guess, pass } = createThrottle()
  const evaluatedAt: number[] = []
  for (let at = 0; at < 40 * 60_000; at += 250) {
    // The attacker knows the rule and sends each guess four times.
    if (guess({ ...knownClient, pair: `guess ${Math.floor(at / 1000)}` })) evaluatedAt.push(at)
    pass(250)
  }
  const inMinuteFrom = (start: number) => evaluatedAt.filter((at) => at >= start && at < start + 60_000).length
  expect(Math.max(...evaluatedAt.map(inMinuteFrom))).toBe(10)
})

test('a retried pair is checked despite an attacker, after a short wait', () => {
  const { limiter, guess, isServed } = createThrottle()
  for (let i = 0; i < 1_000; i++) guess({ ...knownClient, pair: `guess ${i}` })
  const honest = { ...knownClient, pair: 'honest' }
  expect(limiter.admit(honest)).toBe(2_000)
  expect(isServed(honest)).toBe(true)
  expect(isServed({ ...honest, pair: 'elsewhere', network: '10.0.0.2' })).toBe(true)
})

test('a recently verified pair never waits', () => {
  const { guess, isServed } = createThrottle()
  for (let i = 0; i < 1_000; i++) guess({ ...knownClient, pair: `guess ${i % 500}` })
  expect(isServed({ ...knownClient, pair: 'honest', wasVerified: true })).toBe(true)
})

test('unknown networks have no attempts reserved for retries', () => {
  const { guess, isServed } = createThrottle()
  for (let i = 0; i < 1_000; i++) guess({ ...client, pair: `guess ${i}` })
  for (let i = 0; i < 10; i++) expect(isServed({ ...client, pair: 'honest' })).toBe(false)
})

test('the pause doubles with each lockout, up to 15 minutes', () => {
  const { limiter, guess, pass } = createThrottle()
  const pauses: number[] = []
  for (let round = 0; round < 7; round++) {
    while (guess(client));
    const waitMs = limiter.admit(client)
    if (typeof waitMs !== 'number') throw new Error('not limited')
    pauses.push(waitMs / 60_000)
    pass(waitMs)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 15, 15, 15])
})

test('a quiet hour resets the pause', () => {
  const { limiter, guess, pass } = createThrottle()
  while (guess(client));
  pass(2 * 3_600_000)
  while (guess(client));
  expect(limiter.admit(client)).toBe(60_000)
})

test('valid passwords are not counted', () => {
  const { isServed } = createThrottle()
  for (let i = 0; i < 1_000; i++) expect(isServed(client)).toBe(true)
})

test('attackers from a thousand networks get 100 guesses an hour at one company', () => {
  const { guess, pass } = createThrottle()
  let evaluated = 0
  for (let i = 0; i < 10_000; i++) {
    if (guess({ ...client, network: `10.1.${i % 4}.${i % 250}` })) evaluated++
    pass(300)
  }
  expect(evaluated).toBeLessThanOrEqual(100)
})

test('attackers do not lock out a client of a known network', () => {
  const { guess, isServed } = createThrottle()
  for (let i = 0; i < 1_000; i++) guess({ ...client, network: `10.2.${i % 4}.${i % 250}` })
  expect(isServed({ ...client, network: '10.9.9.9' })).toBe(false)
  expect(isServed({ ...client, network: '10.9.9.9', isKnown: true })).toBe(true)
})

test('one network gets 60 guesses a minute across all companies', () => {
  const { guess, pass } = createThrottle()
  let evaluated = 0
  for (let i = 0; i < 5_900; i++) {
    if (guess({ ...client, company: `firma${i % 1_000}` })) evaluated++
    pass(10)
  }
  expect(evaluated).toBe(60)
})

test('guesses at one company do not affect others', () => {
  const { guess, isServed } = createThrottle()
  while (guess(client));
  expect(isServed({ ...client, company: 'fjell' })).toBe(true)
  expect(isServed({ ...client, network: '10.0.0.2' })).toBe(true)
})

test('attempts in progress count, so that a burst cannot bypass the limit', () => {
  const { limiter } = createThrottle()
  const admitted = Array.from({ length: 500 }, () => limiter.admit(client))
  expect(admitted.filter((one) => typeof one !== 'number').length).toBe(7)
  for (const one of admitted) if (typeof one !== 'number') one.release()
  expect(typeof limiter.admit(client)).not.toBe('number')
})
