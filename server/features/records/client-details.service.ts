import Bowser from 'bowser'
import type { RangeKind } from '#shared/contract/ip-ranges.ts'
import type { Context } from '../../platform/platform.ts'
import { clientAddress, rangesOf } from './ip-ranges-lookup.service.ts'

/** What records contain about the client of a login. */
export type ClientDetails = {
  ip: string
  userAgent: string
  /** "Chrome 140"; empty when unknown. */
  browser: string
  /** "Windows 11", "iPhone"; empty when unknown. */
  device: string
  clientType: 'pc' | 'mobile' | 'tablet' | 'other'
  onCampus: boolean
  /** The name of the address's IP range. */
  ipRange: string | null
  rangeId: string | null
  rangeKind: RangeKind | null
}

/** Describes the client of a request: its kind by the user agent, its place by the IP ranges. */
export async function loadClientDetails(ctx: Context): Promise<ClientDetails> {
  const { ip, userAgent } = ctx.client
  const address = clientAddress(ip)
  const range = address && (await rangesOf(ctx, address))[0]?.entry
  const place = {
    onCampus: range?.kind === 'campus',
    ipRange: range?.name ?? null,
    rangeId: range?.id ?? null,
    rangeKind: range?.kind ?? null,
  }
  return { ip, userAgent, ...parseUserAgent(userAgent), ...place }
}

type Agent = Pick<ClientDetails, 'browser' | 'device' | 'clientType'>

/** Parsing a user agent costs as much as an SQL statement, and a campus has few different ones. */
const agentCache = new Map<string, Agent>()
const MAX_CACHED_AGENTS = 1000

/** Parses a user agent. */
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
