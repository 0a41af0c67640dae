import { expect, test } from 'vitest'
import { parseNetworks } from '../../lib/network.ts'
import { getClientConnection } from './client-address.ts'

const trusted = parseNetworks(['10.0.0.0/24', '127.0.0.1'])
function from(address: string, headers: Record<string, string> = {}) {
  return getClientConnection({ address, secure: false, header: (name) => headers[name] }, trusted)
}

test('without a proxy the peer is the client', () => {
  expect(from('::ffff:127.0.0.1')).toEqual({
    address: '127.0.0.1',
    isSecure: false,
    isLoopback: true,
  })
  expect(from('10.9.9.9').isLoopback).toBe(false)
})

test('a trusted proxy sets client address and protocol', () => {
  const headers = { 'x-forwarded-for': '203.0.113.7, 10.0.0.9', 'x-forwarded-proto': 'https' }
  expect(from('10.0.0.2', headers)).toEqual({
    address: '203.0.113.7',
    isSecure: true,
    isLoopback: false,
  })
})

test('forwarding headers of the caller itself are ignored', () => {
  const headers = {
    'x-forwarded-for': '127.0.0.1, 203.0.113.7',
    'x-forwarded-proto': 'https, http',
  }
  expect(from('10.0.0.2', headers)).toMatchObject({ address: '203.0.113.7', isSecure: false })
})

test('an untrusted peer cannot forge its address', () => {
  const headers = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-proto': 'https' }
  expect(from('203.0.113.7', headers)).toEqual({
    address: '203.0.113.7',
    isSecure: false,
    isLoopback: false,
  })
})

test.each(['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip'])(
  'a call with %s has no loopback privileges',
  (header) => {
    expect(from('127.0.0.1', { [header]: '127.0.0.1' }).isLoopback).toBe(false)
  },
)
