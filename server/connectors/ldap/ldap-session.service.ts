import type { Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Client, SearchEntry, SearchRequest, SearchResponse } from 'ldapts'
import { SourceFault, type SourceProblem, type SourceSettings } from '../data-source.types.ts'
import { isTlsError, openSourceSocket, tlsOptions } from '../source-socket.service.ts'

/** Half of what Active Directory returns per page. */
const PAGE_ENTRIES = 500
/** A page of people with all requested attributes; one entry of 10 MiB among them fails the whole read. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024
/** In one read. Active Directory sends one after a long search without a match, so that many would take it days. */
const MAX_EMPTY_PAGES = 1000

/** Result codes of RFC 4511. */
const PROBLEMS: Readonly<Record<number, SourceProblem>> = {
  1: 'no-rights',
  3: 'timeout',
  4: 'limited',
  8: 'tls',
  10: 'referral',
  11: 'limited',
  13: 'tls',
  32: 'no-database',
  34: 'no-database',
  48: 'login-refused',
  49: 'login-refused',
  50: 'no-rights',
  51: 'cut-off',
  52: 'cut-off',
}

/** Converts an error to the faults that all sources share. @param socket whose own failure tells more than its consequences */
function toFault(error: unknown, socket: Socket): SourceFault {
  if (error instanceof SourceFault) return error
  const { code, message = '' } = (socket.errored ?? error) as { code?: string | number; message?: string }
  if (typeof code === 'number') return new SourceFault(PROBLEMS[code] ?? 'failed', message)
  // The driver's own timeout has no code.
  if (code === 'ETIMEDOUT' || /timed out$/.test(message)) return new SourceFault('timeout', message)
  if (code === 'TOO_LARGE') return new SourceFault('limited', message)
  if (code && isTlsError(code)) return new SourceFault('tls', message)
  return new SourceFault(
    /socket|connection|closed|ECONN|EPIPE/i.test(`${code} ${message}`) ? 'cut-off' : 'failed',
    message,
  )
}

type Search = {
  base: string
  scope: 'base' | 'sub'
  filter: string
  attributes: string[]
  /** Only attribute names. */
  namesOnly?: boolean
}

export type LdapSession = {
  isEncrypted: boolean
  /** Entries as they arrive, a page at a time. @throws SourceFault. */
  search(search: Search): AsyncGenerator<Page>
  close(): Promise<void>
}

export type Page = { entries: SearchEntry[]; references: string[] }

/**
 * The driver's own paging takes a page without entries for the last one, but Active Directory sends such pages in the middle of a read:
 * people would silently be missing. So pages are requested by what the driver does for each request.
 */
type Requests = { _send(request: SearchRequest): Promise<SearchResponse | undefined>; _nextMessageId(): number }

const isBareIpv6 = (host: string) => host.includes(':') && !host.startsWith('[')

/** A client on an open connection; `startsTls`: upgrades it to TLS, instead of using TLS from the first byte. */
async function openClient(
  settings: SourceSettings,
  tls: ConnectionOptions | null,
  startsTls: boolean,
): Promise<Opened> {
  const { host, timeoutSeconds } = settings
  const isSecure = tls !== null && !startsTls
  const port = settings.port || (isSecure ? 636 : 389)
  const socket = await openSourceSocket({ ...settings, port })
  // Loaded on demand: most installations read no LDAP.
  const ldap = await import('ldapts')
  const client = new ldap.Client({
    url: `ldap${isSecure ? 's' : ''}://${isBareIpv6(host) ? `[${host}]` : host}:${port}`,
    timeout: timeoutSeconds * 1000,
    connectTimeout: 10_000,
    createConnection: () => socket,
    ...(isSecure && { createSecureConnection: () => connectTls({ ...tls, socket }) }),
  })
  return { ldap, client, socket }
}

/** Connects, encrypts before authenticating, and binds. @throws SourceFault. */
export async function openLdapSession(settings: SourceSettings): Promise<LdapSession> {
  const { options, user, password } = settings
  const tls = tlsOptions(settings)
  const startsTls = tls !== null && options.startTls
  // A name without a password binds anonymously, and many servers call that a success.
  if (password === '') throw new SourceFault('login-refused')
  const opened = await openClient(settings, tls, startsTls)
  const { client, socket } = opened
  const close = async () => {
    await client.unbind().catch(() => {})
    socket.destroy()
  }
  try {
    if (startsTls) await startTls(opened, tls)
    await client.bind(user, password)
    return { isEncrypted: tls !== null, search: (search) => readPages(opened, settings, search), close }
  } catch (error) {
    await close()
    const fault = toFault(error, socket)
    // A server without encryption on this port hangs up, or answers something else.
    throw tls && !startsTls && fault.problem === 'cut-off' ? new SourceFault('tls', fault.words) : fault
  }
}

async function startTls({ client, socket }: Opened, tls: ConnectionOptions): Promise<void> {
  try {
    await client.startTLS(tls)
  } catch (error) {
    const fault = toFault(error, socket)
    throw fault.problem === 'timeout' ? fault : new SourceFault('tls', fault.words)
  }
}

type Opened = { ldap: typeof import('ldapts'); client: Client; socket: Socket }

/** Tells pages apart by their first entry, because a cookie may stay the same. '': an empty page with the former cookie, null: another one. */
function repeatedPages(): (first: string | null) => boolean {
  const seen = new Set([''])
  return (first) => {
    if (first === null) return false
    const before = seen.size
    return seen.add(first).size === before
  }
}

/**
 * @returns what to call with the number of each page, and of its entries.
 * @throws SourceFault `limited` if too many pages bring nothing, as a server without an end.
 */
function limitEmptyPages(): (pages: number, entries: number) => void {
  let emptyPages = 0
  let rows = 0
  return (pages, entries) => {
    rows += entries
    if (entries === 0) emptyPages += 1
    if (emptyPages > MAX_EMPTY_PAGES) throw new SourceFault('limited', `${pages} / ${rows}`)
  }
}

async function* readPages(
  { ldap, client, socket }: Opened,
  { timeoutSeconds }: SourceSettings,
  { base, scope, filter, attributes, namesOnly = false }: Search,
): AsyncGenerator<Page> {
  const requests = client as unknown as Requests
  let cookie: Buffer = Buffer.alloc(0)
  const isRepeated = repeatedPages()
  const checkEmptyPages = limitEmptyPages()
  try {
    for (let pages = 1; ; pages++) {
      const paged = new ldap.PagedResultsControl({ value: { size: PAGE_ENTRIES, cookie } })
      const request = new ldap.SearchRequest({
        messageId: requests._nextMessageId(),
        baseDN: base,
        scope,
        filter: ldap.FilterParser.parseString(filter),
        attributes,
        returnAttributeValues: !namesOnly,
        timeLimit: timeoutSeconds,
        ...(scope !== 'base' && { controls: [paged] }),
      })
      const answer = await withinBytes(socket, () => requests._send(request))
      if (answer?.status !== 0) throw ldap.StatusCodeParser.parse(answer)
      yield { entries: answer.searchEntries, references: answer.searchReferences.flatMap(({ uris }) => uris) }
      const next = answer.controls?.find((control) => control instanceof ldap.PagedResultsControl)?.value?.cookie
      if (!next?.length) return
      checkEmptyPages(pages, answer.searchEntries.length)
      const first = answer.searchEntries[0]?.name ?? (next.equals(cookie) ? '' : null)
      if (isRepeated(first)) throw new SourceFault('repeated-page', String(pages))
      cookie = next
    }
  } catch (error) {
    throw toFault(error, socket)
  }
}

/** Waits for one answer, and ends the connection if it grows beyond the limit. */
async function withinBytes<T>(socket: Socket, work: () => Promise<T>): Promise<T> {
  const before = socket.bytesRead
  const watch = setInterval(() => {
    if (socket.bytesRead - before <= MAX_PAGE_BYTES) return
    socket.destroy(Object.assign(new Error('an answer is too large'), { code: 'TOO_LARGE' }))
  }, 50)
  try {
    return await work()
  } finally {
    clearInterval(watch)
  }
}
