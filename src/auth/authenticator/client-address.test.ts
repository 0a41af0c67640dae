import { expect, test } from 'vitest'
import { parseNetworks } from '../../lib/network.ts'
import { getClientConnection } from './client-address.ts'

const trusted = parseNetworks(['10.0.0.0/24', '127.0.0.1'])
function from(address: string, headers: Record<string, string> = {}) {
  return getClientConnection({ address, secure: false, header: (name) => headers[name] }, trusted)
}

test('without a proxy the peer is the client', () => {
  expect(from('::ffff:127.0.0.1')).toEqual({ address: '127.0.0.1', isSecure: false, isLoopback: true })
  expect(from('10.9.9.9').isLoopback).toBe(false)
})

test('a trusted proxy sets client address and protocol', () => {
  const headers = { 'x-forwarded-for': '203.0.113.7, 10.0.0.9', 'x-forwarded-proto': 'https' }
  expect(from('10.0.0.2', headers)).toEqual({ address: '203.0.113.7', isSecure: true, isLoopback: false })
})

test('forwarding headers of the caller itself are ignored', () => {
  const headers = { 'x-forwarded-for': '127.0.0.1, 203.0.113.7', 'x-forwarded-proto': 'https, http' }
  expect(from('10.0.0.2', headers)).toMatchObject({ address: '203.0.113.7', isSecure: false })
})

test('an untrusted peer cannot forge its address', () => {
  const headers = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-proto': 'https' }
  expect(from('203.0.113.7', headers)).toEqual({ address: '203.0.113.7', isSecure: false, isLoopback: false })
})

test.each(['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip'])(
  'a call with %s has no loopback privileges',
  (header) => {
    expect(from('127.0.0.2', { [header]: '127.0.0.1' }).isLoopback).toBe(false)
  },
)

test.each(['x-forwarded-proto', 'forwarded', 'x-real-ip'])(
  'a trusted proxy that sets %s without X-Forwarded-For is rejected, because all its clients would count as one',
  (header) => {
    expect(() => from('127.0.0.1', { [header]: 'https' })).toThrow(
      expect.objectContaining({ code: 'MalformedRequest', target: 'header:x-forwarded-for' }),
    )
  },
)

test.each([
  ['203.0.113.7:5678', '203.0.113.7'],
  ['[2001:db8::1]:80', '2001:db8::1'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  // The first item is the caller's own, the second what the first proxy saw.
  ['invented, 203.0.113.7:5678, 10.0.0.9:80', '203.0.113.7'],
  ['invented, 10.0.0.9', '10.0.0.9'],
])('the client in X-Forwarded-For: %s is %s', (forwardedFor, address) => {
  expect(from('10.0.0.2', { 'x-forwarded-for': forwardedFor }).address).toBe(address)
})

test.each(['', 'unknown', '203.0.113.7, unknown', '203.0.113.7:x'])(
  'X-Forwarded-For: %s of a trusted proxy is rejected, because all its clients would count as one',
  (forwardedFor) => {
    const headers = { 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': 'https' }
    expect(() => from('10.0.0.2', headers)).toThrow(
      expect.objectContaining({ code: 'MalformedRequest', target: 'header:x-forwarded-for' }),
    )
    expect(from('203.0.113.7', headers).address).toBe('203.0.113.7')
  },
)
