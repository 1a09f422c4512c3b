import { createHash } from 'node:crypto'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { languageFromHeader } from '#shared/rules/format-message.ts'
import { TOWN_ID, TOWN_PEOPLE } from '../features/demo/index.ts'
import { randomToken } from '../platform/crypto.ts'
import type { Platform } from '../platform/platform.ts'
import { redirect } from './application-pages.ts'
import { type PageFrame, pageAnswer } from './demo-page.ts'
import type { Answer, DemoApplicationHandler, Visit } from './demo-server.ts'
import { html } from './html.ts'

const MAX_KEPT = 1000
const CODE_MS = 300_000

type Person = (typeof TOWN_PEOPLE)[number]
type Issued = { person: Person; challenge: string; at: number }
type TownId = { platform: Platform; codes: Map<string, Issued>; tokens: Map<string, Issued> }

/** An education platform of an invented town, where people of the demo school may have an account: plain OAuth 2.0 with PKCE. */
export function createTownId(platform: Platform): DemoApplicationHandler {
  const town: TownId = { platform, codes: new Map(), tokens: new Map() }
  return (visit) => answer(town, visit)
}

async function answer(town: TownId, visit: Visit): Promise<Answer> {
  const { method, path } = visit
  if (method === 'GET' && path === 'authorize') return authorize(town, visit)
  if (method === 'POST' && path === 'token') return json(redeem(town, await visit.form()))
  if (method === 'GET' && path === 'user') return json(town.tokens.get(visit.query.get('access_token') ?? '')?.person)
  return { status: 404, body: '404' }
}

const json = (document: object | undefined): Answer => ({
  status: document ? 200 : 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(document ?? { error: 'invalid_grant' }),
})

function keep(map: Map<string, Issued>, issued: Issued): string {
  const key = randomToken(32)
  if (map.size >= MAX_KEPT) map.delete(map.keys().next().value ?? '')
  map.set(key, issued)
  return key
}

/** Shows the people to choose from; nothing has to be typed in a demo. */
function authorize(town: TownId, { query, cookies, acceptLanguage }: Visit): Answer {
  const { platform } = town
  const callback = `${platform.config.publicUrl}/auth_service/third_party/${TOWN_ID.key}/callback`
  const isRight = query.get('client_id') === TOWN_ID.clientId && query.get('redirect_uri') === callback
  if (!isRight) return { status: 400, body: '400' }
  const back = new URL(callback)
  back.searchParams.set('state', query.get('state') ?? '')
  if (query.has('refuse')) {
    back.searchParams.set('error', 'access_denied')
    return redirect(back.href)
  }
  const person = TOWN_PEOPLE.find(({ id }) => id === query.get('person'))
  if (!person) return choices({ ...frameOf(platform, cookies, acceptLanguage, query.get('lang')), query }, query)
  const challenge = query.get('code_challenge') ?? ''
  back.searchParams.set('code', keep(town.codes, { person, challenge, at: platform.now().getTime() }))
  return redirect(back.href)
}

function frameOf(
  platform: Platform,
  cookies: Visit['cookies'],
  acceptLanguage: string,
  asked: string | null,
): PageFrame {
  const chosen = [asked, cookies.get('gatehouse_language')]
  const known = chosen.map((wanted) => SHIPPED_LANGUAGES.find((one) => one === wanted)).find((one) => one !== undefined)
  const language = known ?? languageFromHeader(acceptLanguage, SHIPPED_LANGUAGES) ?? 'zh_CN'
  return {
    language,
    t: (key, params) => platform.translate(language, key, params),
    name: TOWN_ID.names[language],
    description: platform.translate(language, 'demo.town-id.description'),
    icon: '/learning/icon.svg',
    portal: `${platform.config.publicUrl}/auth_web/my-apps`,
  }
}

function choices(frame: PageFrame, query: URLSearchParams): Answer {
  const addressOf = (more: Record<string, string>) =>
    `?${new URLSearchParams({ ...Object.fromEntries(query), ...more })}`
  const links = TOWN_PEOPLE.map(
    ({ id, name }) =>
      html`<p><a class="button" href="${addressOf({ person: id })}">${frame.t('demo.town-id.go-on', { name })}</a></p>`,
  )
  return pageAnswer(
    frame,
    200,
    html`<h1>${frame.t('demo.town-id.title')}</h1>
<p>${frame.t('demo.town-id.text')}</p>
${links}
<p><a href="${addressOf({ refuse: '1' })}">${frame.t('demo.town-id.refuse')}</a></p>`,
  )
}

/** A code is valid once, for whoever knows the secret and its verifier. */
function redeem({ platform, codes, tokens }: TownId, form: URLSearchParams): object | undefined {
  const code = form.get('code') ?? ''
  const issued = codes.get(code)
  codes.delete(code)
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isOurs = form.get('client_id') === TOWN_ID.clientId && form.get('client_secret') === TOWN_ID.clientSecret
  if (!issued || !isOurs || issued.challenge !== verifier) return undefined
  if (platform.now().getTime() - issued.at > CODE_MS) return undefined
  return { access_token: keep(tokens, issued), token_type: 'Bearer', expires_in: 7200 }
}
