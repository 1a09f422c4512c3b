import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createBook } from './address-book.ts'
import { choicePage } from './choice-page.ts'
import { type Delivery, deliveryPage } from './delivery-page.ts'
import { PEOPLE, type Person } from './people.ts'
import type { Call, Reply, Simulator, Step, Trouble } from './simulator.types.ts'

type Issued = { person: Person; application: string; redirectUri: string; at: number; isSpent: boolean }

/** A vendor: what it requires of a browser sent to it, and its calls. */
export type Vendor = {
  title: string
  /** The settings an administrator enters, with every host pointing here. */
  settings(url: string): Record<string, unknown>
  /** The settings for reading and writing its address book. */
  contacts?(url: string): { application: string; secret: string; host: string }
  application: string
  /** The application that the codes of a page are for, if it is another one. */
  applicationOf?(path: string): string | undefined
  /** The name of the code in the callback. */
  returnedCode: string
  /** The name of the return address parameter, if not `redirect_uri`. */
  redirectName?: string
  /** By path; return what is wrong with the request, or null. */
  pages: Record<string, (query: URLSearchParams) => string | null>
  /** Pages without a return, by path. */
  shows?: Record<string, (simulator: Simulator, query: URLSearchParams) => Reply>
  /** By path; one that ends with a slash is a prefix, and gets the rest. */
  calls: Record<string, { step: Step; answer(simulator: Simulator, call: Call, rest: string): Reply }>
  /** How its framed page hands over the callback; null: it navigates there itself, as usual. */
  delivers?(path: string, query: URLSearchParams): Delivery | null
  /** Its answers for being busy, and for a disallowed address. */
  busy: Reply
  address: Reply
  /** Its answer for an expired login; absent if it has none. */
  stale?: Reply
}

export const json = (document: unknown, status = 200): Reply => ({ status, text: JSON.stringify(document) })

/** Codes are valid for five minutes, tokens for two hours, as the real ones. */
const CODE_MS = 300_000
const TOKEN_MS = 7_200_000
const SLOW_MS = 10_000
const HUGE_BYTES = 10 * 1024 * 1024
/** For a demo that runs for weeks. */
const MAX_KEPT = 1000

/** A vendor's server on loopback, which enforces the real one's rules. */
export async function startSimulator(
  vendor: Vendor,
  { trustedOrigin, now = () => new Date(), port = 0 }: { trustedOrigin: string; now?: () => Date; port?: number },
): Promise<Simulator> {
  const simulator = createState(vendor, trustedOrigin, now)
  const server = createServer((request, response) => {
    answer(vendor, simulator, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  simulator.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  simulator.close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return simulator
}

function createState(vendor: Vendor, trustedOrigin: string, now: () => Date): Simulator {
  const codes = new Map<string, Issued>()
  const tokens = new Map<string, { subject: string; until: number }>()
  return {
    url: '',
    calls: [],
    trouble: {},
    delayMs: 0,
    about: {},
    messages: [],
    book: createBook(),
    mailboxes: new Map(),
    mostMailboxes: Number.POSITIVE_INFINITY,
    trustedOrigin,
    now,
    issueCode(person, application = vendor.application, redirectUri = '') {
      const code = randomBytes(16).toString('hex')
      if (codes.size >= MAX_KEPT) codes.delete(codes.keys().next().value ?? '')
      codes.set(code, { person, application, redirectUri, at: now().getTime(), isSpent: false })
      return code
    },
    redeemCode(code, application) {
      const issued = codes.get(code)
      if (issued?.application !== application) return 'unknown'
      if (issued.isSpent) return 'used'
      issued.isSpent = true
      return now().getTime() - issued.at > CODE_MS ? 'expired' : issued
    },
    issueToken(subject) {
      const token = randomBytes(32).toString('hex')
      if (tokens.size >= MAX_KEPT) tokens.delete(tokens.keys().next().value ?? '')
      tokens.set(token, { subject, until: now().getTime() + TOKEN_MS })
      return token
    },
    subjectOf(token) {
      const known = tokens.get(token)
      return known && known.until > now().getTime() ? known.subject : undefined
    },
    revokeTokens: () => tokens.clear(),
    close: async () => undefined,
  }
}

async function answer(vendor: Vendor, simulator: Simulator, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', simulator.url)
  simulator.calls.push(`${request.method} ${url.pathname}`)
  if (simulator.calls.length > MAX_KEPT) simulator.calls.shift()
  const call = findCall(vendor, url.pathname)
  if (call && simulator.trouble[call.step] === 'slow') {
    setTimeout(() => response.end('{}'), SLOW_MS).unref()
    return
  }
  if (simulator.delayMs > 0) await pause(simulator.delayMs)
  const asked: Call = { query: url.searchParams, headers: request.headers, ...(await bodyOf(request)) }
  const reply = replyTo(vendor, simulator, url, asked)
  if (call && simulator.trouble[call.step] === 'lost') {
    response.destroy()
    return
  }
  const { status = 200, text, type = 'text/plain', location } = reply
  response.writeHead(location ? 302 : status, {
    'content-type': `${type}; charset=utf-8`,
    date: simulator.now().toUTCString(),
    ...(location && { location }),
  })
  response.end(text)
}

function findCall({ calls }: Vendor, path: string) {
  const found = Object.entries(calls).find(([one]) => (one.endsWith('/') ? path.startsWith(one) : path === one))
  return found && { ...found[1], rest: path.slice(found[0].length) }
}

function replyTo(vendor: Vendor, simulator: Simulator, url: URL, asked: Call): Reply {
  const page = vendor.pages[url.pathname]
  if (page) return visit(vendor, simulator, page(url.searchParams), url)
  const shown = vendor.shows?.[url.pathname]
  if (shown) return shown(simulator, url.searchParams)
  const call = findCall(vendor, url.pathname)
  if (!call) return { status: 404, text: '404' }
  const trouble = simulator.trouble[call.step]
  return trouble && trouble !== 'slow' && trouble !== 'lost'
    ? troubled(vendor, trouble)
    : call.answer(simulator, asked, call.rest)
}

function troubled(vendor: Vendor, trouble: Exclude<Trouble, 'slow' | 'lost'>): Reply {
  if (trouble === 'stale') return vendor.stale ?? vendor.busy
  if (trouble === 'redirect') return { text: '', location: '/elsewhere' }
  if (trouble === 'busy' || trouble === 'address') return vendor[trouble]
  if (trouble === 'huge') return { text: `{"errcode":0,"access_token":"${'x'.repeat(HUGE_BYTES)}"}` }
  if (trouble === 'empty') return { text: '{"errcode":0}' }
  if (trouble === 'error') return { status: 500, text: '{"errcode":-1}' }
  return { text: trouble === 'html' ? '<html><h1>Welcome</h1></html>' : '\u0000{"errcode":0,' }
}

/** A form is not accepted where JSON is expected, and vice versa. */
async function bodyOf(request: IncomingMessage): Promise<Pick<Call, 'body' | 'form'>> {
  let text = ''
  for await (const chunk of request) text += chunk
  const type = request.headers['content-type'] ?? ''
  return {
    body: type.startsWith('application/json') ? (JSON.parse(text) as Record<string, unknown>) : null,
    form: new URLSearchParams(type.startsWith('application/x-www-form-urlencoded') ? text : ''),
  }
}

/** The page behind the QR code: whom to be is chosen by a link, or by `person` in the address; `refuse` says no. */
function visit(vendor: Vendor, simulator: Simulator, problem: string | null, url: URL): Reply {
  const html = (status: number, text: string): Reply => ({ status, text, type: 'text/html' })
  const redirectUri = url.searchParams.get(vendor.redirectName ?? 'redirect_uri') ?? ''
  const isTrusted = URL.canParse(redirectUri) && new URL(redirectUri).origin === simulator.trustedOrigin
  const wrong = problem ?? (isTrusted ? null : 'redirect_uri is not under the registered domain')
  if (wrong) return html(400, choicePage(vendor.title, wrong, []))
  const back = new URL(redirectUri)
  back.searchParams.set('state', url.searchParams.get('state') ?? '')
  const person = PEOPLE.find(({ id }) => id === url.searchParams.get('person'))
  const delivery = vendor.delivers?.(url.pathname, url.searchParams) ?? null
  const send = (): Reply =>
    delivery ? html(200, deliveryPage(vendor.title, delivery, back.href)) : { text: '', location: back.href }
  if (url.searchParams.has('refuse')) return send()
  if (!person) return html(200, choicePage(vendor.title, null, choicesOf(url)))
  back.searchParams.set(
    vendor.returnedCode,
    simulator.issueCode(person, vendor.applicationOf?.(url.pathname) ?? vendor.application, redirectUri),
  )
  return send()
}

function choicesOf(url: URL): { href: string; text: string }[] {
  const hrefOf = (name: string, value: string) => {
    const query = new URLSearchParams(url.searchParams)
    query.set(name, value)
    return `${url.pathname}?${query}`
  }
  const people = PEOPLE.map(({ id, name, note }) => ({
    href: hrefOf('person', id),
    text: note ? `${name} (${note})` : name,
  }))
  return [...people, { href: hrefOf('refuse', '1'), text: 'Refuse' }]
}
