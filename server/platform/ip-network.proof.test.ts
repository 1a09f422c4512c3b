import { expect, test } from 'vitest'
import { buildIpLookup, type IpNetwork, parseIpNetwork } from './ip-network.ts'

/** Milliseconds to build a lookup of ten thousand networks and to find an address in each. */
function timeOf(networkAt: (at: number) => string): number {
  const networks = Array.from({ length: 10_000 }, (_, at) => parseIpNetwork(networkAt(at)) as IpNetwork)
  const since = performance.now()
  const lookup = buildIpLookup(networks.map((network) => [network, network]))
  const found = networks.filter((network) => lookup(network)[0]?.entry === network).length
  const took = performance.now() - since
  expect(found).toBe(10_000)
  return took
}

test.each([
  ['networks', (at: number) => `2001:db8:${at.toString(16)}::/48`],
  // They share their lowest 64 bits.
  ['addresses', (at: number) => `2001:db8:${at.toString(16)}::1/128`],
])('ten thousand %s of IPv6 take no longer than a few times as many networks of IPv4', (_, ipv6) => {
  const ipv4 = (at: number) => `10.${at >> 8}.${at & 255}.0/24`
  timeOf(ipv4)
  expect(timeOf(ipv6)).toBeLessThan(10 * timeOf(ipv4))
})
