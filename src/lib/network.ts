// IP networks: membership tests, and the network that a client is counted under.
import { BlockList, isIP, isIPv4 } from 'node:net'

export interface Networks {
  /** The networks as configured. */
  readonly names: readonly string[]
  has(address: string): boolean
}

/** Reads `10.0.0.0/8`, `192.168.1.5`, `::1`. Throws a RangeError that names the invalid one. */
export function parseNetworks(names: readonly string[]): Networks {
  const list = new BlockList()
  for (const name of names) {
    const [address = '', bits, ...rest] = name.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const bitsMax = family === 'ipv4' ? 32 : 128
    const prefix = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
    if (isIP(address) === 0 || rest.length > 0 || prefix < 0 || prefix > bitsMax)
      throw new RangeError(`"${name}" is not an IP address or network like 10.0.0.0/8`)
    list.addSubnet(address, prefix, family)
  }
  return {
    names,
    has: (address) => {
      if (names.length === 0) return false
      const plain = plainAddress(address)
      const family = isIP(plain)
      return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

/** An address without IPv4 mapping and zone: `::ffff:10.0.0.1` and `::ffff:a00:1` become `10.0.0.1`. */
export function plainAddress(address: string): string {
  const withoutZone = address.includes('%') ? address.slice(0, address.indexOf('%')) : address
  return withoutZone.startsWith(mappedPrefix) ? unmapped(withoutZone) : withoutZone
}

/** The IPv4 address that an IPv6 address maps; any other address unchanged. */
function unmapped(address: string): string {
  const mapped = address.slice(mappedPrefix.length)
  if (isIPv4(mapped)) return mapped
  const [, high, low] = /^([\da-f]{1,4}):([\da-f]{1,4})$/.exec(mapped) ?? []
  if (high === undefined || low === undefined) return address
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .map((value) => `${value >> 8}.${value & 255}`)
    .join('.')
}

const mappedPrefix = '::ffff:'

/** The address in `10.0.0.1:5678`, `[::1]:80` or `::1`, as proxies write it; null for anything else. */
export function parseAddress(text: string): string | null {
  const { v6, v4 } = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/.exec(text)?.groups ?? {}
  const address = plainAddress((v6 ?? v4 ?? text).toLowerCase())
  return isIP(address) === 0 ? null : address
}

export function isLoopback(address: string): boolean {
  return address === '127.0.0.1' || address === '::1' || plainAddress(address).startsWith('127.')
}

/** Whether a host is this machine: a name, an address, or that of a URL. `127.example` is a name of any machine. */
export function isLoopbackHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return host === 'localhost' || (isIP(address) !== 0 && isLoopback(address))
}

/** The network of one client: an IPv4 address, or the /64 of an IPv6 address, within which clients vary addresses. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (!plain.includes(':') || isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  // An embedded IPv4 address replaces two groups.
  const groups = before.length + after.length + (plain.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? [] : Array<string>(8 - groups).fill('0')
  const first = [...before, ...zeros, ...after].slice(0, 4)
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
