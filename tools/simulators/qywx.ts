import { deliver, messagesPage, reachable } from './messages.ts'
import { failed, qywxBook } from './qywx-book.ts'
import { json, type Vendor } from './simulator.ts'
import type { Call, Reply, Simulator } from './simulator.types.ts'

const CORP_ID = 'ww1234567890abcdef'
const AGENT_ID = '1000002'
const SECRET = 'nothing-secret-in-a-simulator'
/** Of the address book assistant, which alone may write. */
const CONTACTS_SECRET = 'nothing-secret-in-the-address-book'

const wrongRequest = (query: URLSearchParams): string | null => {
  if (query.get('appid') !== CORP_ID) return 'appid: no such corporation'
  if (query.get('agentid') !== AGENT_ID) return 'agentid: no such app'
  return /^[a-zA-Z0-9]{1,128}$/.test(query.get('state') ?? '') ? null : '84025 state'
}

function issueToken(simulator: Simulator, { query }: Call): Reply {
  if (query.get('corpid') !== CORP_ID) return failed(40013, 'invalid corpid')
  const subject = { [SECRET]: 'app', [CONTACTS_SECRET]: 'contacts' }[query.get('corpsecret') ?? '']
  if (subject === undefined) return failed(40001, 'invalid credential')
  return json({ errcode: 0, errmsg: 'ok', access_token: simulator.issueToken(subject), expires_in: 7200 })
}

/** An answer for a valid app token. */
const withToken = (answer: (simulator: Simulator, call: Call) => Reply) => (simulator: Simulator, call: Call) =>
  simulator.subjectOf(call.query.get('access_token') ?? '') === 'app'
    ? answer(simulator, call)
    : failed(40014, 'invalid access_token')

const userOf = withToken((simulator, { query }) => {
  const redeemed = simulator.redeemCode(query.get('code') ?? '', CORP_ID)
  if (redeemed === 'expired') return failed(42003, 'code expired')
  if (typeof redeemed === 'string') return failed(40029, 'invalid code')
  const { id, openid, standing } = redeemed.person
  const isMember = standing === 'member' || standing === 'invisible' || standing === 'left'
  const who = isMember ? { userid: id } : { openid, external_userid: `wm${id}` }
  return json({ errcode: 0, errmsg: 'ok', ...who, ...simulator.about })
})

const agentOf = withToken((simulator, { query }) =>
  query.get('agentid') === AGENT_ID
    ? json({
        errcode: 0,
        errmsg: 'ok',
        agentid: Number(AGENT_ID),
        close: 0,
        redirect_domain: new URL(simulator.trustedOrigin).host,
        allow_userinfos: { user: [{ userid: 'LiLei' }] },
        allow_partys: { partyid: [1] },
        allow_tags: { tagid: [] },
        ...simulator.about,
      })
    : failed(40056, 'invalid agentid'),
)

const MAX_TEXT_BYTES = 2048

const sendMessage = withToken((simulator, { body }) => {
  if (String(body?.['agentid']) !== AGENT_ID) return failed(40056, 'invalid agentid')
  const text = String((body?.['text'] as { content?: unknown } | undefined)?.content ?? '')
  if (body?.['msgtype'] !== 'text' || text === '') return failed(44004, 'empty content')
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return failed(45002, 'content size out of limit')
  const ids = String(body['touser'] ?? '').split('|')
  const invaliduser = ids.filter((id) => !reachable(id)).map((id) => id.toLowerCase())
  if (invaliduser.length === ids.length) return failed(81013, 'user & party & tag all invalid')
  const withinMs = body['enable_duplicate_check'] === 1 ? Number(body['duplicate_check_interval'] ?? 1800) * 1000 : 0
  for (const id of ids) {
    const person = reachable(id)
    if (person) deliver(simulator, { person, text, withinMs })
  }
  return json({ errcode: 0, errmsg: 'ok', invaliduser: invaliduser.join('|'), msgid: 'simulated' })
})

/** WeCom. */
export const qywx: Vendor = {
  title: 'WeCom (simulated)',
  settings: (url) => ({
    corpId: CORP_ID,
    agentId: AGENT_ID,
    secret: SECRET,
    apiHost: url,
    loginHost: url,
    frameHost: url,
    inAppHost: url,
  }),
  contacts: (url) => ({ application: CORP_ID, secret: CONTACTS_SECRET, host: url }),
  application: CORP_ID,
  returnedCode: 'code',
  pages: {
    '/wwlogin/sso/login': (query) => (query.get('login_type') === 'CorpApp' ? wrongRequest(query) : 'login_type'),
    '/wwopen/sso/qrConnect': (query) => (query.get('login_type') === 'jssdk' ? wrongRequest(query) : 'login_type'),
    '/connect/oauth2/authorize': (query) => (query.get('scope') === 'snsapi_base' ? wrongRequest(query) : 'scope'),
  },
  delivers: (path) => (path === '/wwopen/sso/qrConnect' ? 'when-asked' : null),
  shows: { '/messages': ({ messages }) => messagesPage('WeCom (simulated)', messages) },
  calls: {
    '/cgi-bin/message/send': { step: 'message', answer: sendMessage },
    '/cgi-bin/gettoken': { step: 'token', answer: issueToken },
    '/cgi-bin/auth/getuserinfo': { step: 'user', answer: userOf },
    '/cgi-bin/agent/get': { step: 'member', answer: agentOf },
    ...qywxBook,
  },
  busy: failed(-1, 'system busy'),
  address: failed(60020, 'not allow to access from your ip'),
}
