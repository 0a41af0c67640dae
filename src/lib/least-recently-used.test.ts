import { describe, expect, it } from 'vitest'
import { LeastRecentlyUsed } from './least-recently-used.ts'

describe('a bounded map', () => {
  it('evicts the least recently read entry', () => {
    const map = new LeastRecentlyUsed<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    expect([map.get('a'), map.get('a')]).toEqual([1, 1])
    map.set('c', 3)
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  })

  it('keeps what was set or read last, and fewer than twice as many entries', () => {
    const map = new LeastRecentlyUsed<number, number>(100)
    const keys = Array.from({ length: 1000 }, (_, index) => index)
    for (const key of keys) {
      map.set(key, key)
      map.get(0)
    }
    expect(keys.slice(-99).every((key) => map.get(key) === key)).toBe(true)
    expect(map.get(0)).toBe(0)
    expect(keys.filter((key) => map.get(key) !== undefined).length).toBeLessThan(200)
  })

  it('does not return a replaced or deleted entry, even if it was read last', () => {
    const map = new LeastRecentlyUsed<string, number>(2)
    map.set('a', 1)
    map.get('a')
    map.set('a', 2)
    expect(map.get('a')).toBe(2)
    map.delete('a')
    expect(map.get('a')).toBeUndefined()
  })
})
