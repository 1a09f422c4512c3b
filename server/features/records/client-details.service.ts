import Bowser from 'bowser'
import ipaddr from 'ipaddr.js'
import type { Context, Platform } from '../../platform/platform.ts'

/** What the records say of where a login came from. */
export type ClientDetails = {
  ip: string
  userAgent: string
  /** "Chrome 140"; empty when unknown. */
  browser: string
  /** "Windows 11", "iPhone"; empty when unknown. */
  device: string
  clientType: 'pc' | 'mobile' | 'tablet' | 'other'
  onCampus: boolean
}

/** Reads the client of a request: its kind from the user agent, on or off campus from the configured networks. */
export async function loadClientDetails(ctx: Context): Promise<ClientDetails> {
  const { ip, userAgent } = ctx.client
  return { ip, userAgent, ...parseUserAgent(userAgent), onCampus: await isOnCampus(ctx, ip) }
}

type Agent = Pick<ClientDetails, 'browser' | 'device' | 'clientType'>

/** Reading a user agent costs as much as a statement of SQL, and a campus has few of them. */
const agentCache = new Map<string, Agent>()
const MAX_CACHED_AGENTS = 1000

/** What a user agent says of itself. */
export function parseUserAgent(userAgent: string): Agent {
  const before = agentCache.get(userAgent)
  if (before) return before
  const agent = parseAgent(userAgent)
  if (agentCache.size >= MAX_CACHED_AGENTS) agentCache.delete(agentCache.keys().next().value ?? '')
  agentCache.set(userAgent, agent)
  return agent
}

function parseAgent(userAgent: string): Agent {
  if (!userAgent) return { browser: '', device: '', clientType: 'other' }
  const agent = Bowser.parse(userAgent)
  const major = agent.browser.version?.split('.')[0] ?? ''
  const system = [agent.os.name, agent.os.versionName ?? agent.os.version?.split('.')[0]].filter(Boolean).join(' ')
  const kind = agent.platform.type
  return {
    browser: [agent.browser.name, major].filter(Boolean).join(' '),
    device: agent.platform.model ?? system,
    clientType: kind === 'desktop' ? 'pc' : kind === 'mobile' || kind === 'tablet' ? kind : 'other',
  }
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

async function isOnCampus(platform: Platform, ip: string): Promise<boolean> {
  const networks = await platform.cache.read('ip-ranges', 'campus', () => listCampusNetworks(platform))
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return networks.some((network) => address.kind() === network[0].kind() && address.match(network))
}

async function listCampusNetworks(platform: Platform): Promise<Network[]> {
  const rows = await platform.sql<{ network: string }[]>`
    select network::text from ip_ranges where on_campus order by network limit 10000`
  return rows.map(({ network }) => ipaddr.parseCIDR(network))
}
