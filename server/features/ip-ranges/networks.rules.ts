import { MAX_RANGE_NETWORKS, type NetworkHint } from '#shared/contract/ip-ranges.ts'
import {
  buildIpLookup,
  formatIpNetwork,
  type IpNetwork,
  networksBetween,
  parseIpAddress,
  parseIpNetwork,
  usageOf,
} from '../../platform/ip-network.ts'
import { errors } from './ip-ranges.errors.ts'

/** `10.0.0.1-10.0.0.20`, with any kind of dash or tilde. */
const SPAN = /^([^-–—~～]+)[-–—~～]([^-–—~～]+)$/

function parseTyped(typed: string): IpNetwork[] | null {
  const span = SPAN.exec(typed.normalize('NFKC').replace(/\s/g, ''))
  if (!span) {
    const network = parseIpNetwork(typed.normalize('NFKC'))
    return network && [network]
  }
  const [first, last] = [parseIpAddress(span[1] ?? ''), parseIpAddress(span[2] ?? '')]
  return first && last && first.bits === last.bits && first.value <= last.value ? networksBetween(first, last) : null
}

/**
 * Converts input to networks in PostgreSQL's notation, without duplicates.
 * @throws Refusal `ip-range.bad-network` for the first invalid one, `ip-range.too-many-networks`.
 */
export function toNetworks(typed: readonly string[]): string[] {
  const networks = new Set<string>()
  for (const text of typed) {
    const parsed = parseTyped(text)
    if (!parsed) throw errors['ip-range.bad-network']({ params: { network: text }, data: { fields: ['networks'] } })
    for (const network of parsed) networks.add(formatIpNetwork(network))
  }
  if (networks.size > MAX_RANGE_NETWORKS) {
    const params = { count: networks.size, most: MAX_RANGE_NETWORKS }
    throw errors['ip-range.too-many-networks']({ params, data: { fields: ['networks'] } })
  }
  return [...networks]
}

/**
 * A file whose end is missing says `12.0.1.0/2` for `12.0.1.0/24`, which is a fourth of all addresses. Who types it sees what becomes of it.
 * @throws Refusal `ip-range.wider-network` for the first network that begins before the address it is written with.
 */
export function refuseWiderNetworks(typed: readonly string[]): void {
  for (const text of typed) {
    const plain = text.normalize('NFKC')
    const [network, address] = [parseIpNetwork(plain), parseIpAddress(plain.split('/')[0] ?? '')]
    if (network && address && network.value !== address.value)
      throw errors['ip-range.wider-network']({ params: { network: text, whole: formatIpNetwork(network) } })
  }
}

/** What our library calls the uses that no login comes from, or that many people who do not belong here share. */
const USAGES: Readonly<Record<string, NetworkHint['hint']>> = {
  loopback: 'loopback',
  linkLocal: 'link-local',
  multicast: 'multicast',
  carrierGradeNat: 'carrier-nat',
  unspecified: 'reserved',
  broadcast: 'reserved',
  reserved: 'reserved',
  discard: 'reserved',
  benchmarking: 'reserved',
  deprecatedSiteLocal: 'reserved',
}

/** The reserved purpose of a network, if it may be a mistake. */
export function usageHint(text: string): NetworkHint['hint'] | null {
  const network = parseIpNetwork(text)
  if (!network) return null
  return network.prefix === 0 ? 'everything' : (USAGES[usageOf(network)] ?? null)
}

type Other = { name: string; network: string }

/**
 * For each network the smallest one of another range that contains it, and the largest one inside it. By lookup, so that ten thousand
 * ranges are not compared pairwise.
 */
export function findOverlaps(networks: readonly string[], others: readonly Other[]): NetworkHint[] {
  const parsed = (texts: readonly string[]) => texts.map(parseIpNetwork)
  const own = parsed(networks)
  const theirs = parsed(others.map(({ network }) => network))
  const entriesOf = <T>(all: readonly (IpNetwork | null)[], entries: readonly T[]) =>
    all.flatMap((network, at) => (network ? [[network, entries[at] as T] as const] : []))
  const aroundOf = buildIpLookup(entriesOf(theirs, others))
  const ownAround = buildIpLookup(entriesOf(own, networks))
  const hintOf = (network: string, hint: 'inside' | 'around', { name, network: otherNetwork }: Other): NetworkHint => ({
    network,
    hint,
    name,
    otherNetwork,
  })
  const inside = entriesOf(own, networks).flatMap(([network, text]) => {
    const nearest = aroundOf(network).find((one) => one.network.prefix < network.prefix)
    return nearest ? [hintOf(text, 'inside', nearest.entry)] : []
  })
  const largest = new Map<string, { prefix: number; other: Other }>()
  for (const [network, other] of entriesOf(theirs, others)) {
    for (const { entry: text } of ownAround(network).filter((one) => one.network.prefix < network.prefix)) {
      const known = largest.get(text)
      if (!known || network.prefix < known.prefix) largest.set(text, { prefix: network.prefix, other })
    }
  }
  return [...inside, ...[...largest].map(([text, { other }]) => hintOf(text, 'around', other))]
}
