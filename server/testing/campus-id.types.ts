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

/** Somebody else's login server, on loopback: as strict as the real ones, and as odd. */
export type CampusId = {
  /** Without a trailing slash; each preset answers below `/<preset>`. */
  url: string
  /** Every call that reached it, without secrets and codes. */
  calls: string[]
  trouble: Partial<Record<'token' | 'user' | 'keys' | 'discovery', Trouble>>
  /** Changes what its ID tokens say, or how they are signed. */
  idToken: {
    claims: Record<string, unknown>
    alg: 'RS256' | 'ES256'
    signWith: 'own' | 'foreign' | 'none' | 'secret'
    kid?: string
  }
  /** Changes what it says of people, and of itself. */
  person: Record<string, unknown>
  metadata: Record<string, unknown>
  /** Only this address is registered. */
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

/** What is answered; nothing for ten seconds when `hangs`. */
export type CampusResponse = { status?: number; json?: unknown; html?: string; location?: string; hangs?: true }
