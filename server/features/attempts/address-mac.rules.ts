import ipaddr from 'ipaddr.js'
import type { Platform } from '../../platform/platform.ts'

/** What counts as one address: one household or campus has one IPv4 address, but 2^64 IPv6 addresses. */
export function addressGroup(ip: string): string {
  const parsed = ipaddr.isValid(ip) ? ipaddr.process(ip) : null
  return parsed?.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : ip
}

export const addressMac = (platform: Platform, ip: string): Buffer =>
  platform.secrets.mac(`address\n${addressGroup(ip)}`)
