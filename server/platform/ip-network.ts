import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address as a number of so many bits. */
export type IpAddress = { bits: 32 | 128; value: bigint }
/** The addresses that begin with the first `prefix` bits of `value`, whose others are 0. */
export type IpNetwork = IpAddress & { prefix: number }

/** @returns null for what is no address; IPv4 written as IPv6 (`::ffff:10.0.0.1`) is IPv4. */
export function parseIpAddress(text: string): IpAddress | null {
  // The library takes 10.1 and 0x0a000001 too, which people mistype rather than mean, and is slow to say what it takes.
  const version = text.includes('%') ? 0 : isIP(text)
  if (version === 0) return null
  const address = version === 4 ? ipaddr.IPv4.parse(text) : unmapped(ipaddr.IPv6.parse(text))
  const value = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`)
  return { bits: address.kind() === 'ipv4' ? 32 : 128, value }
}

const unmapped = (address: ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 =>
  address.isIPv4MappedAddress() ? address.toIPv4Address() : address

const networkOf = ({ bits, value }: IpAddress, prefix: number): IpNetwork => {
  const shift = BigInt(bits - prefix)
  return { bits, prefix, value: (value >> shift) << shift }
}

/** A network such as 10.0.0.0/8, or one address; bits behind the prefix are dropped. @returns null for what is neither. */
export function parseIpNetwork(text: string): IpNetwork | null {
  const [typed = '', length, ...rest] = text.split('/')
  const address = parseIpAddress(typed)
  if (!address || rest.length > 0) return null
  if (length === undefined) return networkOf(address, address.bits)
  const prefix = Number(length) - (address.bits === 32 && typed.includes(':') ? 96 : 0)
  return /^\d{1,3}$/.test(length) && prefix >= 0 && prefix <= address.bits ? networkOf(address, prefix) : null
}

/** The fewest networks that hold exactly the addresses from the first to the last, in order; at most 2 × 128 - 2. */
export function networksBetween(first: IpAddress, last: IpAddress): IpNetwork[] {
  const networks: IpNetwork[] = []
  const { bits } = first
  for (let at = first.value; at <= last.value; ) {
    let size = 0
    // As large as its first address and the end allow.
    while (
      size < bits &&
      (at & ((1n << BigInt(size + 1)) - 1n)) === 0n &&
      at + (1n << BigInt(size + 1)) - 1n <= last.value
    )
      size++
    networks.push({ bits, value: at, prefix: bits - size })
    at += 1n << BigInt(size)
  }
  return networks
}

function toAddress({ bits, value }: IpAddress): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = Array.from({ length: bits / 8 }, (_, at) => Number((value >> BigInt(bits - 8 * (at + 1))) & 255n))
  return ipaddr.fromByteArray(bytes)
}

export const formatIpAddress = (address: IpAddress): string => toAddress(address).toString()
/** As PostgreSQL writes a cidr. */
export const formatIpNetwork = (network: IpNetwork): string => `${formatIpAddress(network)}/${network.prefix}`

/** What the first address of a network is set aside for: `unicast`, `private`, `loopback`, `multicast` … */
export const usageOf = (network: IpNetwork): string => toAddress(network).range()

/** What belongs to networks, found by an address in steps that depend on the lengths of prefixes, not on the number of networks. */
export type IpLookup<Entry> = (address: IpAddress) => { network: IpNetwork; entry: Entry }[]

/** As text, which V8 hashes whole: of a bigint it hashes the lowest 64 bits alone, which many networks of IPv6 share. */
const keyOf = ({ value }: IpNetwork): string => value.toString(16)

/** @returns a lookup that answers the smallest network first. */
export function buildIpLookup<Entry>(entries: Iterable<readonly [IpNetwork, Entry]>): IpLookup<Entry> {
  const byBits = { 32: new Map<number, Map<string, Entry>>(), 128: new Map<number, Map<string, Entry>>() }
  for (const [network, entry] of entries) {
    const { bits, prefix } = network
    const sameLength = byBits[bits].get(prefix) ?? new Map<string, Entry>()
    byBits[bits].set(prefix, sameLength.set(keyOf(network), entry))
  }
  const longestFirst = (bits: 32 | 128) => [...byBits[bits]].toSorted(([a], [b]) => b - a)
  const tables = { 32: longestFirst(32), 128: longestFirst(128) }
  return (address) =>
    tables[address.bits].flatMap(([prefix, sameLength]) => {
      const network = networkOf(address, prefix)
      const entry = sameLength.get(keyOf(network))
      return entry === undefined ? [] : [{ network, entry }]
    })
}
