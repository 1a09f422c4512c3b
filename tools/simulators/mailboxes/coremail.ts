import { type Call, json, type Reply, type Simulator, type Vendor } from '../simulator.ts'
import { followLink, issueLink, standingOf } from './mailbox-page.ts'

const TITLE = 'Coremail (simulated)'
const APP_ID = 'portal'
const SECRET = 'nothing-secret-in-a-simulator'

const failed = (code: number, message: string): Reply => json({ code, message })

function token(simulator: Simulator, { body }: Call): Reply {
  if (!body) return failed(39, 'json expected')
  if (body['app_id'] !== APP_ID || body['secret'] !== SECRET) return failed(35, 'wrong password')
  return json({ code: 0, result: simulator.issueToken('app') })
}

/** Answers about a mailbox, with a token. */
const ofMailbox =
  (answer: (simulator: Simulator, address: string, body: Record<string, unknown>) => Reply) =>
  (simulator: Simulator, { body }: Call): Reply => {
    if (!body) return failed(39, 'json expected')
    if (simulator.subjectOf(String(body['_token'])) !== 'app') return failed(28, 'session expired')
    const address = String(body['user_at_domain'])
    if (!address.includes('@')) return failed(9, 'bad user id')
    return standingOf(simulator, address) === 'unknown' ? failed(19, 'no such user') : answer(simulator, address, body)
  }

const login = ofMailbox((simulator, address, body) => {
  if (standingOf(simulator, address) === 'stopped') return failed(53, 'user expired')
  if (typeof body['attrs'] !== 'string' || !new URLSearchParams(body['attrs']).has('remote_ip'))
    return failed(39, 'attrs')
  const sid = issueLink(simulator, address, APP_ID)
  return json({ code: 0, result: `sid=${sid}&webname=http://mail.example.edu` })
})

/** Coremail. */
export const coremail: Vendor = {
  title: TITLE,
  settings: (url) => ({ driver: 'coremail', appId: APP_ID, secret: SECRET, apiHost: url, loginHost: url }),
  application: APP_ID,
  returnedCode: '',
  pages: {},
  shows: {
    '/coremail/main.jsp': (simulator, query) => followLink(simulator, TITLE, query.get('sid') ?? '', APP_ID),
  },
  calls: {
    '/apiws/v3/requestToken': { step: 'token', answer: token },
    '/apiws/v3/userLoginEx': { step: 'user', answer: login },
    '/apiws/v3/userExist': { step: 'user', answer: ofMailbox(() => json({ code: 0 })) },
  },
  busy: failed(42, 'database busy'),
  address: json({ code: 403, message: 'address not allowed' }, 403),
}
