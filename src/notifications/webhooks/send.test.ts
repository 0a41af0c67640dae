import { expect, test } from 'vitest'
import { parseNetworks } from '../../lib/network.ts'
import { isBlockedAddress } from './send.ts'

const none = parseNetworks([])

test.each(['8.8.8.8', '[2606:4700::1]', '[::ffff:8.8.8.8]'])('a webhook may call the public address %s', (host) => {
  expect(isBlockedAddress(new URL(`https://${host}/`), none)).toBe(false)
})

test.each([
  '0.0.0.1',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '[::1]',
  '[::808:808]',
  '[::ffff:10.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:8.8.8.8]',
  '[64:ff9b::808:808]',
  '[64:ff9b:1::808:808]',
  '[100::1]',
  '[100:0:0:1::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002:808:808::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
])('a webhook may not call the internal or reserved address %s', (host) => {
  expect(isBlockedAddress(new URL(`https://${host}/`), none)).toBe(true)
})
