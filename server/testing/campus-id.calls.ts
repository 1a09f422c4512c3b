import { createHash, randomBytes } from 'node:crypto'
import { exportJWK, SignJWT } from 'jose'
import { CLIENT_ID, CLIENT_SECRET } from './campus-id.presets.ts'
import type { CampusId, CampusRequest, CampusResponse, Issued } from './campus-id.types.ts'

const CODE_MS = 300_000

/** The trouble that a test requested at this step. */
function troubled({ trouble, url }: CampusId, step: keyof CampusId['trouble']): CampusResponse | null {
  switch (trouble[step]) {
    case 'slow':
      return { hangs: true }
    case 'error':
      return { status: 500, json: { error: 'server_error' } }
    case 'garbage':
      return { html: '<html>everything is fine</html>' }
    case 'endless':
      return { json: { access_token: 'x'.repeat(2 * 1024 * 1024) } }
    case 'redirect':
      return { location: `${url}/oidc/keys` }
    default:
      return null
  }
}

export function discovery({ campus, preset }: CampusRequest): CampusResponse {
  const base = `${campus.url}/${preset}`
  const json = {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    userinfo_endpoint: `${base}/user`,
    jwks_uri: `${base}/keys`,
    ...campus.metadata,
  }
  return troubled(campus, 'discovery') ?? { json }
}

export async function keySet({ campus }: CampusRequest): Promise<CampusResponse> {
  const published = (['RS256', 'ES256'] as const).map(async (alg) => ({
    ...(await exportJWK(campus.keys[alg].publicKey)),
    kid: campus.idToken.kid ?? alg,
    alg,
  }))
  return troubled(campus, 'keys') ?? { json: { keys: await Promise.all(published) } }
}

export async function token(asked: CampusRequest): Promise<CampusResponse> {
  const { campus, preset, rules, url, request, body } = asked
  const trouble = troubled(campus, 'token')
  if (trouble) return trouble
  const sent = rules.tokenIn === 'query' ? Object.fromEntries(url.searchParams) : body
  const wrong = campus.trouble.token ?? (isOurClient(asked, sent) ? '' : 'secret')
  if (wrong) return { status: rules.errorStatus, json: rules.failed(wrong) }
  if (rules.appToken) return { json: rules.granted(appToken(asked), null) }
  const issued = spend(campus, sent[rules.names.code] ?? '')
  const problem = problemOf(asked, issued, sent)
  if (problem !== '' || !issued || issued === 'used') return { status: rules.errorStatus, json: rules.failed(problem) }
  const key = randomBytes(16).toString('hex')
  campus.tokens.set(key, issued)
  request.resume()
  return { json: rules.granted(key, preset === 'oidc' ? await idTokenFor(campus, issued) : null) }
}

/** A code is valid once, whatever it was presented for. */
function spend({ codes }: CampusId, code: string): Issued | 'used' | undefined {
  const issued = codes.get(code)
  if (issued) codes.set(code, 'used')
  return issued
}

function problemOf(
  { campus, preset, rules }: CampusRequest,
  issued: Issued | 'used' | undefined,
  sent: Record<string, string>,
): string {
  if (issued === 'used') return 'used'
  if (!issued || issued.preset !== preset || campus.now().getTime() - issued.at > CODE_MS) return 'expired'
  if ((sent[rules.names.redirectUri] ?? '') !== issued.redirectUri) return 'redirect'
  const proved = createHash('sha256')
    .update(sent['code_verifier'] ?? '')
    .digest('base64url')
  return issued.challenge !== '' && proved !== issued.challenge ? 'verifier' : ''
}

/** Renewing invalidates the old one. */
function appToken({ campus, preset }: CampusRequest): string {
  for (const [old, one] of campus.tokens) if (one.preset === preset) campus.tokens.delete(old)
  const key = randomBytes(16).toString('hex')
  const person = { id: '', name: '', number: '', phone: '', email: '', role: 0 }
  campus.tokens.set(key, { preset, person, redirectUri: '', challenge: '', nonce: '', at: campus.now().getTime() })
  return key
}

function isOurClient({ rules, request }: CampusRequest, sent: Record<string, string>): boolean {
  const { names, auth } = rules
  if (auth === 'body') return sent[names.clientId] === CLIENT_ID && sent[names.clientSecret] === CLIENT_SECRET
  const half = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
  const expected = Buffer.from(`${half(CLIENT_ID)}:${half(CLIENT_SECRET)}`).toString('base64')
  return request.headers.authorization === `Basic ${expected}`
}

async function idTokenFor(campus: CampusId, { person, nonce, preset }: Issued): Promise<string> {
  const { alg, signWith, claims, kid } = campus.idToken
  const now = Math.floor(campus.now().getTime() / 1000)
  const iss = `${campus.url}/${preset}`
  const said = { sub: person.id, nonce, iss, aud: CLIENT_ID, iat: now, exp: now + 300, ...claims }
  if (signWith === 'none') {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ alg: 'none' })}.${part(said)}.`
  }
  const token = new SignJWT(said)
  if (signWith === 'secret') {
    return await token
      .setProtectedHeader({ alg: 'HS256', kid: kid ?? alg })
      .sign(new TextEncoder().encode(CLIENT_SECRET))
  }
  const key = signWith === 'foreign' ? campus.keys.foreign : campus.keys[alg]
  return await token.setProtectedHeader({ alg, kid: kid ?? alg }).sign(key.privateKey)
}

export function user({ campus, preset, rules, url, request, body }: CampusRequest): CampusResponse {
  const trouble = troubled(campus, 'user')
  if (trouble) return trouble
  const presented = {
    bearer: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1],
    query: url.searchParams.get('access_token'),
    body: body['access_token'],
  }[rules.userToken]
  const issued = campus.tokens.get(presented ?? '')
  if (issued?.preset !== preset) return { status: rules.errorStatus, json: rules.failed('token') }
  const about = rules.appToken ? spend(campus, url.searchParams.get(rules.names.code) ?? '') : issued
  if (!about || about === 'used') return { status: rules.errorStatus, json: rules.failed('used') }
  return { json: rules.person({ ...about.person, ...campus.person }) }
}
