import { dingdingBook } from './dingding-book.ts'
import { deliver, messagesPage, reachable } from './messages.ts'
import { findPerson } from './people.ts'
import { json, type Vendor } from './simulator.ts'
import type { Call, Reply, Simulator } from './simulator.types.ts'

const CORP_ID = 'ding1234567890'
/** Another corporation, which has its own applications. */
const OTHER_CORP_ID = 'dingother'
const CLIENT_ID = 'dingabcdefgh'
const SECRET = 'nothing-secret-in-a-simulator'

const failed = (code: string, message: string): Reply => json({ code, requestid: '30EE8654-0000', message }, 400)
const failedOld = (errcode: number, errmsg: string): Reply => json({ errcode, errmsg, request_id: '1a2b3c' })

const wrongRequest = (query: URLSearchParams): string | null => {
  if (query.get('client_id') !== CLIENT_ID) return 'client_id: no such application'
  if (query.get('response_type') !== 'code' || query.get('prompt') !== 'consent') return 'response_type, prompt'
  return query.get('scope') === 'openid corpid' ? null : 'scope'
}

function userToken(simulator: Simulator, { body }: Call): Reply {
  if (!body) return failed('Missingbody', 'body is mandatory')
  if (body['clientId'] !== CLIENT_ID || body['clientSecret'] !== SECRET)
    return failed('InvalidAuthentication', 'invalid clientId or clientSecret')
  const redeemed = simulator.redeemCode(String(body['code']), CLIENT_ID)
  if (typeof redeemed === 'string') return failed('invalidParameter.authCode.notFound', 'authCode not found')
  const accessToken = simulator.issueToken(redeemed.person.id)
  return json({ accessToken, refreshToken: 'r', expireIn: 7200, corpId: CORP_ID, ...simulator.about })
}

/** The token of a corporation, for an application of it. */
function corporationToken(simulator: Simulator, { body }: Call, rest: string): Reply {
  const refuse = (status: number, code: string, message = code): Reply =>
    json({ code, requestid: '30EE8654-0000', message }, status)
  const [corpId, verb] = rest.split('/')
  if (verb !== 'token') return { status: 404, text: '404' }
  if (!body) return failed('Missingbody', 'body is mandatory')
  if (body['grant_type'] !== 'client_credentials') return refuse(400, 'unsupported.grant.type')
  if (body['client_id'] !== CLIENT_ID || body['client_secret'] !== SECRET) return refuse(400, 'invalid.client')
  if (corpId === OTHER_CORP_ID) return refuse(401, 'unauthorized.client')
  // As people report it; the manual says nothing about it.
  if (corpId !== CORP_ID) return refuse(500, 'unknownError', '未知错误')
  return json({ access_token: simulator.issueToken('app'), expires_in: 7200 })
}

function me(simulator: Simulator, { headers }: Call): Reply {
  const subject = simulator.subjectOf(String(headers['x-acs-dingtalk-access-token']))
  const person = findPerson(({ id }) => id === subject)
  if (!person) return failed('InvalidAuthentication', 'access token is invalid')
  const { name, openid, unionid, phone, standing } = person
  return json({
    nick: name,
    openId: openid,
    unionId: unionid,
    mobile: phone,
    stateCode: '86',
    visitor: standing === 'snapshot',
  })
}

function appToken(simulator: Simulator, { query }: Call): Reply {
  if (query.get('appkey') !== CLIENT_ID || query.get('appsecret') !== SECRET)
    return failedOld(40089, 'invalid appkey or appsecret')
  return json({ errcode: 0, errmsg: 'ok', access_token: simulator.issueToken('app'), expires_in: 7200 })
}

function byUnionId(simulator: Simulator, { query, body }: Call): Reply {
  if (simulator.subjectOf(query.get('access_token') ?? '') !== 'app') return failedOld(40014, 'invalid access_token')
  const person = findPerson(({ unionid }) => unionid === body?.['unionid'])
  if (!person || person.standing === 'left') return failedOld(60121, 'user not found')
  if (person.standing === 'invisible') return failedOld(50002, 'out of scope')
  const result = { userid: person.id, contact_type: person.standing === 'external' ? 1 : 0 }
  return json({ errcode: 0, errmsg: 'ok', result, request_id: '1a2b3c' })
}

/** The app that notifies people. */
const AGENT_ID = 1000003
const MAX_USERS = 100

/** Accepts the task even if it reaches nobody, and drops the same text to the same person within a day. */
function sendNotification(simulator: Simulator, { query, body }: Call): Reply {
  if (simulator.subjectOf(query.get('access_token') ?? '') !== 'app') return failedOld(40014, 'invalid access_token')
  if (body?.['agent_id'] !== AGENT_ID) return failedOld(40035, 'invalid parameter agent_id')
  const ids = String(body['userid_list'] ?? '').split(',')
  const message = body['msg'] as { msgtype?: string; text?: { content?: unknown } } | undefined
  const text = String(message?.text?.content ?? '')
  if (ids.length > MAX_USERS || message?.msgtype !== 'text' || text === '')
    return failedOld(40035, 'invalid parameter userid_list or msg')
  for (const id of ids) {
    const person = reachable(id)
    if (person) deliver(simulator, { person, text, withinMs: 86_400_000 })
  }
  return json({ errcode: 0, errmsg: 'ok', task_id: 256271667526, request_id: '1a2b3c' })
}

/** DingTalk. */
export const dingding: Vendor = {
  title: 'DingTalk (simulated)',
  settings: (url) => ({
    corpId: CORP_ID,
    clientId: CLIENT_ID,
    clientSecret: SECRET,
    apiHost: url,
    oldApiHost: url,
    loginHost: url,
  }),
  contacts: (url) => ({ application: CLIENT_ID, secret: SECRET, host: url }),
  application: CLIENT_ID,
  returnedCode: 'authCode',
  pages: { '/oauth2/auth': wrongRequest },
  delivers: (_path, query) => (query.get('iframe') === 'true' ? 'object' : null),
  shows: { '/messages': ({ messages }) => messagesPage('DingTalk (simulated)', messages) },
  calls: {
    '/topapi/message/corpconversation/asyncsend_v2': { step: 'message', answer: sendNotification },
    '/v1.0/oauth2/userAccessToken': { step: 'token', answer: userToken },
    '/v1.0/oauth2/': { step: 'corporation', answer: corporationToken },
    '/v1.0/contact/users/me': { step: 'user', answer: me },
    '/gettoken': { step: 'token', answer: appToken },
    '/topapi/user/getbyunionid': { step: 'member', answer: byUnionId },
    ...dingdingBook,
  },
  busy: json({ errcode: -1, code: 'Throttling', message: 'system busy' }),
  address: json({ errcode: 60020, code: 'Forbidden.AccessDenied.IpNotInWhiteList', message: 'not from this address' }),
}
