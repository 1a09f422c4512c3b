import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPair } from 'jose'
import { discovery, keySet, token, user } from './campus-id.calls.ts'
import { CLIENT_ID, PEOPLE, PRESETS, type PresetName } from './campus-id.presets.ts'
import type { CampusId, CampusRequest, CampusResponse, KeyPair } from './campus-id.types.ts'

export type { CampusId } from './campus-id.types.ts'

/** Generated once: a key pair takes longer than a login. */
let keyPairs: Promise<KeyPair[]> | undefined

export async function startCampusId(redirectUri = '', now = () => new Date()): Promise<CampusId> {
  keyPairs ??= Promise.all(['RS256', 'ES256', 'RS256'].map((alg) => generateKeyPair(alg)))
  const [RS256, ES256, foreign] = await keyPairs
  if (!RS256 || !ES256 || !foreign) throw new Error('no keys')
  const server = createServer((request, response) => {
    answer(campus, request).then(
      (said) => send(response, said),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const campus: CampusId = {
    url: '',
    calls: [],
    trouble: {},
    idToken: { claims: {}, alg: 'RS256', signWith: 'own' },
    person: {},
    metadata: {},
    redirectUri,
    now,
    keys: { RS256, ES256, foreign },
    codes: new Map(),
    tokens: new Map(),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  campus.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return campus
}

const STEPS: Record<string, (asked: CampusRequest) => CampusResponse | Promise<CampusResponse>> = {
  authorize,
  '.well-known/openid-configuration': discovery,
  keys: keySet,
  token,
  user,
}

async function answer(campus: CampusId, request: IncomingMessage): Promise<CampusResponse> {
  const url = new URL(request.url ?? '/', campus.url)
  const [, name = '', step = ''] = /^\/(\w+)\/(.+)$/.exec(url.pathname) ?? []
  const handle = STEPS[step]
  if (!Object.hasOwn(PRESETS, name) || !handle) return { status: 404, html: 'Not here' }
  campus.calls.push(`${request.method} ${url.pathname}`)
  const preset = name as PresetName
  return await handle({ campus, preset, rules: PRESETS[preset], url, request, body: await bodyOf(request) })
}

function send(response: ServerResponse, { status = 200, json, html, location, hangs }: CampusResponse): void {
  if (hangs) {
    setTimeout(() => response.end('{}'), 10_000).unref()
    return
  }
  if (location !== undefined) response.writeHead(302, { location }).end()
  else if (html !== undefined) response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  // Like several of the real ones: their media types mean nothing.
  else response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(JSON.stringify(json))
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ''
  for await (const chunk of request) text += chunk
  if (request.headers['content-type'] === 'application/json') return JSON.parse(text) as Record<string, string>
  return Object.fromEntries(new URLSearchParams(text))
}

/** Shows the people to choose from; `user` in the URL chooses at once, `refuse` declines. */
function authorize({ campus, preset, rules, url }: CampusRequest): CampusResponse {
  const given = (name: string) => url.searchParams.get(name) ?? ''
  const { names, extra } = rules
  const isRight =
    given(names.clientId) === CLIENT_ID &&
    given(names.responseType) === 'code' &&
    given(names.redirectUri) === campus.redirectUri &&
    /^[a-zA-Z0-9]{22,128}$/.test(given('state')) &&
    Object.entries(extra).every(([name, value]) => given(name) === value)
  if (!isRight) return { status: 400, html: page('Wrong request', '') }
  const back = new URL(campus.redirectUri)
  back.searchParams.set('state', given('state'))
  if (given('refuse')) {
    back.searchParams.set('error', given('refuse'))
    return { location: back.href }
  }
  const person = PEOPLE.find(({ id }) => id === given('user'))
  if (!person) return { html: page('Campus ID', choices(url)) }
  const code = randomBytes(16).toString('hex')
  const challenge = given('code_challenge_method') === 'S256' ? given('code_challenge') : ''
  const { redirectUri } = campus
  campus.codes.set(code, { preset, person, redirectUri, challenge, nonce: given('nonce'), at: campus.now().getTime() })
  back.searchParams.set(rules.returnedCode, code)
  return { location: back.href }
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`

function choices(url: URL): string {
  const link = (name: string, value: string, text: string) => {
    const address = new URL(url)
    address.searchParams.set(name, value)
    return `<li><a href="${address.pathname}${address.search.replaceAll('&', '&amp;')}">${text}</a></li>`
  }
  const people = PEOPLE.map(({ id, name }) => link('user', id, `Continue as ${name}`))
  return `<ul>${people.join('')}${link('refuse', 'access_denied', 'Refuse')}</ul>`
}
