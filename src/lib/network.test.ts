import { expect, test } from 'vitest'
import { isLoopback, isLoopbackHost, networkOf, parseAddress, parseNetworks, plainAddress } from './network.ts'

test('an address lies in the networks that cover it, also written as IPv4 mapped to IPv6', () => {
  const networks = parseNetworks(['10.0.0.0/8', '192.168.1.5', '2001:db8::/32'])
  expect(networks.has('10.200.3.4')).toBe(true)
  expect(networks.has('::ffff:10.200.3.4')).toBe(true)
  expect(networks.has('192.168.1.5')).toBe(true)
  expect(networks.has('192.168.1.6')).toBe(false)
  expect(networks.has('2001:db8:1::9')).toBe(true)
  expect(networks.has('2001:db9::9')).toBe(false)
  expect(networks.has('not an address')).toBe(false)
})

test('an empty list of networks contains no address', () => {
  expect(parseNetworks([]).has('127.0.0.1')).toBe(false)
})

test.each(['10.0.0.0/33', '10.0.0', 'kasse', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', ''])(
  'what is no network is refused by name: %j',
  (name) => {
    expect(() => parseNetworks(['::1', name])).toThrow(JSON.stringify(name))
  },
)

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::ffff:a01:203', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001::9', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::10.0.0.1', '64:ff9b:0:0::/64'],
])('%s is counted under %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('the loopback addresses are recognized in every notation', () => {
  for (const address of ['127.0.0.1', '127.0.1.1', '::1', '::ffff:127.0.0.1']) expect(isLoopback(address)).toBe(true)
  for (const address of ['10.0.0.1', '::2', '1.127.0.0']) expect(isLoopback(address)).toBe(false)
  expect(plainAddress('fe80::1%eth0')).toBe('fe80::1')
})

test('the hosts of this machine are its name and its addresses, and no name that begins like one', () => {
  for (const host of ['localhost', '127.0.0.1', '127.0.1.1', '::1', '[::1]', '[::ffff:127.0.0.1]'])
    expect(isLoopbackHost(host), host).toBe(true)
  for (const host of ['127.example', '127.0.0.1.example', 'localhost.example', '10.0.0.1', '[::2]', '', '*'])
    expect(isLoopbackHost(host), host).toBe(false)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:5678', '203.0.113.7'],
  ['[::1]:80', '::1'],
  ['[2001:DB8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::FFFF:10.0.0.1', '10.0.0.1'],
  ['[::ffff:10.0.0.1]:80', '10.0.0.1'],
])('the address in %s is %s', (text, address) => {
  expect(parseAddress(text)).toBe(address)
})

test.each(['', 'unknown', '_hidden', '203.0.113', '203.0.113.7:', '203.0.113.7:123456', '[::1', '::1]:80', ':80'])(
  '%j has no address',
  (text) => {
    expect(parseAddress(text)).toBeNull()
  },
)
