import type { IncomingMessage } from 'node:http'
import type { CryptoKey } from 'jose'
import type { CampusPerson, Preset, PresetName } from './campus-id.presets.ts'

/** What the calls of a step do instead of answering properly. */
export type Trouble = 'used' | 'expired' | 'slow' | 'error' | 'garbage' | 'endless' | 'redirect'

export type Issued = {
  preset: PresetName
  person: CampusPerson
  redirectUri: string
  challenge: string
  nonce: string
  at: number
}

export type KeyPair = { publicKey: CryptoKey; privateKey: CryptoKey }

/** Another organisation's login server, on loopback: as strict as the real ones, and as odd. */
export type CampusId = {
  /** Without a trailing slash; each preset is below `/<preset>`. */
  url: string
  /** Every call that reached it, without secrets and codes. */
  calls: string[]
  trouble: Partial<Record<'token' | 'user' | 'keys' | 'discovery', Trouble>>
  /** Overrides the content of its ID tokens, or how they are signed. */
  idToken: {
    claims: Record<string, unknown>
    alg: 'RS256' | 'ES256'
    signWith: 'own' | 'foreign' | 'none' | 'secret'
    kid?: string
  }
  /** Overrides what it says about people, and about itself. */
  person: Record<string, unknown>
  metadata: Record<string, unknown>
  /** Only this URL is registered. */
  redirectUri: string
  /** Its clock, which a test moves with ours. */
  now(): Date
  keys: Record<'RS256' | 'ES256' | 'foreign', KeyPair>
  codes: Map<string, Issued | 'used'>
  tokens: Map<string, Issued>
  close(): Promise<void>
}

export type CampusRequest = {
  campus: CampusId
  preset: PresetName
  rules: Preset
  url: URL
  request: IncomingMessage
  body: Record<string, string>
}

/** The answer; nothing for ten seconds if `hangs`. */
export type CampusResponse = { status?: number; json?: unknown; html?: string; location?: string; hangs?: true }
