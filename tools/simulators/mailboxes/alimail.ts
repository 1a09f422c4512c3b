import { json, type Vendor } from '../simulator.ts'
import type { Call, Reply, Simulator } from '../simulator.types.ts'
import { inbox, MAIL_DOMAIN, mailboxStateOf } from './mailbox-page.ts'

const TITLE = 'Alibaba Mail (simulated)'
const CLIENT_ID = 'alimail-portal'
const SECRET = 'nothing-secret-in-a-simulator'

const failed = (status: number, detailErrorCode: string): Reply =>
  json({ detailErrorCode, message: 'simulated' }, status)

function token(simulator: Simulator, { form }: Call): Reply {
  const isKnown = form.get('client_id') === CLIENT_ID && form.get('client_secret') === SECRET
  if (form.get('grant_type') !== 'client_credentials' || !isKnown) return json({ error: 'invalid_client' }, 401)
  return json({ access_token: simulator.issueToken('app'), token_type: 'bearer', expires_in: 7200 })
}

function user(simulator: Simulator, { headers }: Call, rest: string): Reply {
  const given = /^bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (simulator.subjectOf(given) !== 'app') return failed(401, 'InvalidToken')
  const email = decodeURIComponent(rest)
  const state = mailboxStateOf(simulator, email)
  if (state === 'unknown') return failed(404, 'UserNotFound')
  return json({ id: email, email, status: state === 'stopped' ? 'FREEZE' : 'NORMAL' })
}

/** Alibaba Mail. */
export const alimail: Vendor = {
  title: TITLE,
  settings: (url) => ({
    driver: 'alimail',
    clientId: CLIENT_ID,
    clientSecret: SECRET,
    apiHost: url,
    loginHost: url,
  }),
  application: MAIL_DOMAIN,
  returnedCode: '',
  pages: {},
  shows: { '/': (_simulator, query) => inbox(TITLE, query.get('account') ?? '') },
  calls: {
    '/oauth2/v2.0/token': { step: 'token', answer: token },
    '/v2/users/': { step: 'user', answer: user },
  },
  busy: failed(429, 'TooManyRequests'),
  address: failed(403, 'IpNotAllowed'),
}
