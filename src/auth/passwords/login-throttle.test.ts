import { expect, test } from 'vitest'
import { FailureLimiter, type Trial } from './login-throttle.ts'

const till: Trial = {
  pair: 'one',
  company: 'fjord',
  network: '10.0.0.1',
  isKnown: false,
  wasRight: false,
}
const knownTill: Trial = { ...till, isKnown: true }

function make() {
  let nowMs = 1_000_000_000
  const limiter = new FailureLimiter(() => nowMs)
  return {
    limiter,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Whether a wrong password was evaluated. */
    guess: (trial: Trial) => {
      const admitted = limiter.admit(trial)
      if (typeof admitted === 'number') return false
      admitted.wrong()
      return true
    },
    isServed: (trial: Trial) => {
      const admitted = limiter.admit(trial)
      if (typeof admitted === 'number') return false
      admitted.release()
      return true
    },
  }
}

test('seven wrong passwords a minute for one company from a network that never was right are evaluated', () => {
  const { guess, pass } = make()
  let evaluated = 0
  for (let i = 0; i < 10_000; i++) {
    if (guess(till)) evaluated++
    pass(5)
  }
  expect(evaluated).toBe(7)
})

test('ten a minute from one that was right before, three of them for those that come back', () => {
  const { guess, pass } = make()
  const evaluatedAt: number[] = []
  for (let at = 0; at < 40 * 60_000; at += 250) {
    // Each guess is sent four times, by one who knows how this works.
    if (guess({ ...knownTill, pair: `guess ${Math.floor(at / 1000)}` })) evaluatedAt.push(at)
    pass(250)
  }
  const inMinuteFrom = (start: number) =>
    evaluatedAt.filter((at) => at >= start && at < start + 60_000).length
  expect(Math.max(...evaluatedAt.map(inMinuteFrom))).toBe(10)
})

test('a pair that comes back is looked at beside one who guesses, and told to come back soon', () => {
  const { limiter, guess, isServed } = make()
  for (let i = 0; i < 1_000; i++) guess({ ...knownTill, pair: `guess ${i}` })
  const honest = { ...knownTill, pair: 'honest' }
  expect(limiter.admit(honest)).toBe(2_000)
  expect(isServed(honest)).toBe(true)
  expect(isServed({ ...honest, pair: 'elsewhere', network: '10.0.0.2' })).toBe(true)
})

test('a pair that was right lately never waits', () => {
  const { guess, isServed } = make()
  for (let i = 0; i < 1_000; i++) guess({ ...knownTill, pair: `guess ${i % 500}` })
  expect(isServed({ ...knownTill, pair: 'honest', wasRight: true })).toBe(true)
})

test('a network that never was right has no places to come back to', () => {
  const { guess, isServed } = make()
  for (let i = 0; i < 1_000; i++) guess({ ...till, pair: `guess ${i}` })
  for (let i = 0; i < 10; i++) expect(isServed({ ...till, pair: 'honest' })).toBe(false)
})

test('the pause doubles for whoever goes on, up to a quarter of an hour', () => {
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

test('a quiet time brings the first pause back', () => {
  const { limiter, guess, pass } = make()
  while (guess(till));
  pass(2 * 3_600_000)
  while (guess(till));
  expect(limiter.admit(till)).toBe(60_000)
})

test('right passwords count nothing', () => {
  const { isServed } = make()
  for (let i = 0; i < 1_000; i++) expect(isServed(till)).toBe(true)
})

test('strangers from a thousand networks get a hundred guesses an hour at a company', () => {
  const { guess, pass } = make()
  let evaluated = 0
  for (let i = 0; i < 10_000; i++) {
    if (guess({ ...till, network: `10.1.${i % 4}.${i % 250}` })) evaluated++
    pass(300)
  }
  expect(evaluated).toBeLessThanOrEqual(100)
})

test('strangers do not lock out a till whose network was right before', () => {
  const { guess, isServed } = make()
  for (let i = 0; i < 1_000; i++) guess({ ...till, network: `10.2.${i % 4}.${i % 250}` })
  expect(isServed({ ...till, network: '10.9.9.9' })).toBe(false)
  expect(isServed({ ...till, network: '10.9.9.9', isKnown: true })).toBe(true)
})

test('spraying a thousand companies from one network gets sixty guesses a minute', () => {
  const { guess, pass } = make()
  let evaluated = 0
  for (let i = 0; i < 5_900; i++) {
    if (guess({ ...till, company: `firma${i % 1_000}` })) evaluated++
    pass(10)
  }
  expect(evaluated).toBe(60)
})

test('the guesses at one company do not touch the others', () => {
  const { guess, isServed } = make()
  while (guess(till));
  expect(isServed({ ...till, company: 'fjell' })).toBe(true)
  expect(isServed({ ...till, network: '10.0.0.2' })).toBe(true)
})

test('trials under way count, so that a burst is no way around', () => {
  const { limiter } = make()
  const admitted = Array.from({ length: 500 }, () => limiter.admit(till))
  expect(admitted.filter((one) => typeof one !== 'number').length).toBe(7)
  for (const one of admitted) if (typeof one !== 'number') one.release()
  expect(typeof limiter.admit(till)).not.toBe('number')
})
