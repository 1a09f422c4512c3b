import { expect, test } from 'vitest'
import {
  buildIpLookup,
  formatIpNetwork,
  type IpNetwork,
  networksBetween,
  parseIpAddress,
  parseIpNetwork,
} from './ip-network.ts'

const address = (text: string) => {
  const parsed = parseIpAddress(text)
  if (!parsed) throw new Error(`${text} is no address`)
  return parsed
}
const network = (text: string): IpNetwork => {
  const parsed = parseIpNetwork(text)
  if (!parsed) throw new Error(`${text} is no network`)
  return parsed
}

test.each([
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['10.1.2.3', '10.1.2.3/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::1/32', '2001:db8::/32'],
  ['::/0', '::/0'],
  ['::ffff:10.1.2.3', '10.1.2.3/32'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
])('%s is the network %s', (typed, kept) => {
  expect(formatIpNetwork(network(typed))).toBe(kept)
})

test.each([
  '',
  '10',
  '10.1',
  '010.0.0.1',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '::/129',
  '::ffff:0:0/90',
  'fe80::1%eth0',
  '0x0a000001',
  'localhost',
])('%j is no network', (typed) => expect(parseIpNetwork(typed)).toBeNull())

test.each([
  [
    '10.0.0.1',
    '10.0.0.20',
    ['10.0.0.1/32', '10.0.0.2/31', '10.0.0.4/30', '10.0.0.8/29', '10.0.0.16/30', '10.0.0.20/32'],
  ],
  ['0.0.0.0', '255.255.255.255', ['0.0.0.0/0']],
  ['2001:db8::', '2001:db8::ffff', ['2001:db8::/112']],
])('%s to %s is split into the fewest networks', (first, last, expected) => {
  expect(networksBetween(address(first), address(last)).map(formatIpNetwork)).toEqual(expected)
})

test('the longest possible span stays within limits', () => {
  expect(networksBetween(address('::1'), address('ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe'))).toHaveLength(254)
})

test('of ten thousand networks and one around them all the smallest is found first, in either family', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`)
  const lookup = buildIpLookup(
    [...many, '0.0.0.0/0', '10.0.0.0/8', '::/0', '2001:db8::/32'].map((text) => [network(text), text]),
  )
  const found = (text: string) => lookup(address(text)).map(({ entry }) => entry)
  expect(found('10.39.15.7')).toEqual(['10.39.15.0/24', '10.0.0.0/8', '0.0.0.0/0'])
  expect(found('::ffff:10.0.255.1')).toEqual(['10.0.255.0/24', '10.0.0.0/8', '0.0.0.0/0'])
  expect(found('10.200.0.1')).toEqual(['10.0.0.0/8', '0.0.0.0/0'])
  expect(found('2001:db8::7')).toEqual(['2001:db8::/32', '::/0'])
})
