import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address as a number of this many bits. */
export type IpAddress = { bits: 32 | 128; value: bigint }
/** The addresses that start with the first `prefix` bits of `value`, whose other bits are 0. */
export type IpNetwork = IpAddress & { prefix: number }

/** @returns null if it is not an address; IPv4 written as IPv6 (`::ffff:10.0.0.1`) is IPv4 */
export function parseIpAddress(text: string): IpAddress | null {
  // The library also accepts 10.1 and 0x0a000001, which are typing errors rather than addresses, and is slow to recognise them.
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

/** A network such as 10.0.0.0/8, or one address; bits behind the prefix are dropped. @returns null for anything else */
export function parseIpNetwork(text: string): IpNetwork | null {
  const [typed = '', length, ...rest] = text.split('/')
  const address = parseIpAddress(typed)
  if (!address || rest.length > 0) return null
  if (length === undefined) return networkOf(address, address.bits)
  const prefix = Number(length) - (address.bits === 32 && typed.includes(':') ? 96 : 0)
  return /^\d{1,3}$/.test(length) && prefix >= 0 && prefix <= address.bits ? networkOf(address, prefix) : null
}

/** The fewest networks that cover exactly the addresses from the first to the last, in order; at most 2 × 128 - 2. */
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
/** In PostgreSQL's cidr notation. */
export const formatIpNetwork = (network: IpNetwork): string => `${formatIpAddress(network)}/${network.prefix}`

/** The registered purpose of the network's first address: `unicast`, `private`, `loopback`, `multicast` … */
export const usageOf = (network: IpNetwork): string => toAddress(network).range()

/** Finds the entries of networks that contain an address; the cost depends on the number of prefix lengths, not of networks. */
export type IpLookup<Entry> = (address: IpAddress) => { network: IpNetwork; entry: Entry }[]

/** As text, which V8 hashes completely: of a bigint it hashes only the lowest 64 bits, which many IPv6 networks share. */
const keyOf = ({ value }: IpNetwork): string => value.toString(16)

/** @returns a lookup that yields the smallest network first */
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
