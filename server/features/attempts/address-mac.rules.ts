import ipaddr from 'ipaddr.js'
import type { Platform } from '../../platform/platform.ts'

/** One household or campus has one IPv4 address, but 2^64 IPv6 addresses. */
export function addressMac(platform: Platform, ip: string): Buffer {
  const parsed = ipaddr.isValid(ip) ? ipaddr.process(ip) : null
  const group = parsed?.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : ip
  return platform.secrets.mac(`address\n${group}`)
}
