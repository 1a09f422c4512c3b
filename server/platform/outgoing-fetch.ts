import { type LookupAddress, lookup } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** For an answer, unless the caller expects more. */
const DEFAULT_RESPONSE_BYTES = 1024 * 1024
const CONNECT_MS = 5_000

/** Cloud metadata services, which hand out credentials to anybody, besides the link-local 169.254.169.254. */
const METADATA_ADDRESSES = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'])
const FORBIDDEN_RANGES = new Set(['linkLocal', 'multicast', 'broadcast', 'unspecified', 'reserved'])

const neverCalled = (host: string) =>
  Object.assign(new Error(`${host} is or leads to an address that is never called`), {
    code: 'ERR_ADDRESS_NEVER_CALLED',
  })

/** Addresses that no configuration can mean. Loopback and private ones are left to the caller's allow list. */
export function isForbiddenAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const parsed = ipaddr.process(address)
  if (METADATA_ADDRESSES.has(parsed.toString()) || FORBIDDEN_RANGES.has(parsed.range())) return true
  // NAT64 carries an IPv4 address in its last four bytes.
  if (parsed.range() !== 'rfc6052') return false
  return isForbiddenAddress(parsed.toByteArray().slice(-4).join('.'))
}

/**
 * Asks once for callers who want the same name at the same time. Lookups take threads that passwords are hashed on, two at most, and the
 * next one waits: fifty people at a vendor whose name server is silent would keep every other name from being looked up for minutes.
 */
export function shareLookups(ask: LookupFunction): LookupFunction {
  const asked = new Map<string, Parameters<LookupFunction>[2][]>()
  return (hostname, options, callback) => {
    const key = JSON.stringify([hostname, options])
    const others = asked.get(key)
    if (others) return void others.push(callback)
    const callbacks = [callback]
    asked.set(key, callbacks)
    ask(hostname, options, (error, address, family) => {
      asked.delete(key)
      for (const tell of callbacks) tell(error, Array.isArray(address) ? [...address] : address, family)
    })
  }
}

const sharedLookup = shareLookups((hostname, options, callback) =>
  lookup(hostname, options, (error, address: string | LookupAddress[], family) => callback(error, address, family)),
)

/** Checks what a name resolved to, at the moment of connecting: a name that changes (DNS rebinding) gets no second lookup. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  sharedLookup(hostname, options, (error, address, family) => {
    const found = Array.isArray(address) ? address.map((one) => one.address) : [address]
    if (error || !found.some(isForbiddenAddress)) return callback(error, address, family)
    callback(neverCalled(hostname), '', 0)
  })
}

/** `fetch` with a limit on the answer, per call: an address book of a hundred pages may be larger than a ticket validation. */
export type OutgoingFetch = (
  input: Parameters<typeof fetch>[0],
  init?: RequestInit & {
    /** Limit of the answer's body in bytes; 1 MiB by default. Use few different constants: each has its own connections. */
    maxResponseBytes?: number
  },
) => Promise<Response>

/** Loaded at the first call: it is large, and an installation that calls nobody does without. */
async function openClient(maxResponseSize: number) {
  const { Agent, fetch: request } = await import('undici')
  const connect = { lookup: guardedLookup, timeout: CONNECT_MS }
  return { request, dispatcher: new Agent({ connect, maxResponseSize }) }
}

/**
 * `fetch` for calls to other systems: never connects to link-local and metadata addresses, whatever a name resolves to, and limits the
 * answer. Which hosts may be called at all is up to the caller.
 */
export function createOutgoingFetch(): OutgoingFetch {
  const clients = new Map<number, ReturnType<typeof openClient>>()
  const clientFor = (limit: number) => {
    const client = clients.get(limit) ?? openClient(limit)
    clients.set(limit, client)
    return client
  }
  const call = async (
    input: string | URL,
    { maxResponseBytes = DEFAULT_RESPONSE_BYTES, ...init }: { maxResponseBytes?: number } = {},
  ) => {
    const host = new URL(input).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && isForbiddenAddress(host)) throw neverCalled(host)
    const { request, dispatcher } = await clientFor(maxResponseBytes)
    return await request(input, { ...init, dispatcher })
  }
  return call as unknown as OutgoingFetch
}

/** An open connection for a protocol other than HTTP, under the same rule. @throws Error if nothing answers within five seconds. */
export function connectOutgoing(host: string, port: number): Promise<Socket> {
  const bare = host.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    if (isIP(bare) && isForbiddenAddress(bare)) throw neverCalled(bare)
    const socket = connect({ host: bare, port, lookup: guardedLookup })
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
      CONNECT_MS,
    )
    const finish = (error: Error | null) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(socket)
    }
    socket.once('connect', () => finish(null))
    // Stays after the promise is settled: the socket's owner adds its own listener a moment later.
    socket.once('error', finish)
  })
}
