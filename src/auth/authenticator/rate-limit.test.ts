import { expect, test } from 'vitest'
import { RateLimiter, rateOf } from './rate-limit.ts'

function make(callsPerMinute: number) {
  let nowMs = 5_000_000
  const limiter = new RateLimiter(
    () => rateOf(callsPerMinute),
    () => nowMs,
  )
  const take = (credential: string, isLoopback = false) => {
    limiter.take(limiter.bucket(credential), isLoopback)
  }
  const takeAll = (credential: string) => {
    let taken = 0
    try {
      for (;;) {
        take(credential)
        taken++
      }
    } catch {
      return taken
    }
  }
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { limiter, take, takeAll, pass }
}

test('6,000 calls a minute allow a burst of 2,000', () => {
  const { takeAll, pass } = make(6_000)
  expect(takeAll('a')).toBe(2_000)
  pass(1_000)
  expect(takeAll('a')).toBe(100)
  pass(3_600_000)
  expect(takeAll('a')).toBe(2_000)
})

test('each credential has its own bucket', () => {
  const { take, takeAll } = make(6)
  takeAll('a')
  expect(() => {
    take('b')
  }).not.toThrow()
})

test('an empty bucket is 429 with Retry-After', () => {
  const { take, takeAll } = make(6)
  takeAll('a')
  expect(() => {
    take('a')
  }).toThrow(
    expect.objectContaining({
      code: 'RateLimited',
      status: 429,
      params: { seconds: 10, limitName: 'callsPerMinuteMax' },
      headers: { 'Retry-After': '10', RateLimit: '"default";r=0;t=20', 'RateLimit-Policy': '"default";q=6;w=60' },
    }),
  )
})

test('loopback callers are counted and never rejected', () => {
  const { limiter, take } = make(6)
  for (let i = 0; i < 100; i++) take('a', true)
  expect(limiter.headers(limiter.bucket('a')).RateLimit).toBe('"default";r=0;t=20')
})

test('a clock that goes back removes no calls', () => {
  const { take, pass } = make(6)
  take('a')
  pass(-60_000)
  expect(() => {
    take('a')
  }).not.toThrow()
})
