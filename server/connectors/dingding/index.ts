import { DingdingLoginHost, DingdingSettings } from '#shared/contract/vendor-settings.ts'
import {
  type AuthorizationAttempt,
  type Connector,
  type ConnectorContext,
  ConnectorFault,
  type ThirdPartyIdentity,
  UnclearAnswer,
  type VendorMessage,
} from '../connector.types.ts'
import { resolvePointer, textAtPointer } from '../json-pointer.rules.ts'
import { storedHost } from '../stored-host.rules.ts'
import { parseSubject } from '../subject.rules.ts'
import {
  callAsApp,
  callVendor,
  codeOf,
  fetchAppToken,
  presentClaims,
  requireRejection,
} from '../vendor-call.service.ts'
import { checkCorpId } from './corp-id.service.ts'
import { newAnswers, oldApp } from './dingding-call.service.ts'

/** Nobody has this id: callers with the permission to query people get "doesn't exist". */
const NOBODY = 'gatehouse-check'

/** DingTalk: an internal app of one organisation, for its employees. */
export const dingding: Connector = {
  settings: DingdingSettings,
  secrets: ['clientSecret'],
  ownBrowser: /\bDingTalk\//i,
  isSilent: () => true,
  frameOrigin: (stored) => storedHost(DingdingLoginHost, stored, 'loginHost'),
  open(context, stored) {
    const settings = DingdingSettings.parse(stored)
    return {
      host: settings.apiHost,
      authorizeUrl: async (attempt) => buildAuthorizeUrl(settings, attempt),
      // The same page, which posts the callback to its parent page.
      frameUrl: (attempt) => `${buildAuthorizeUrl(settings, attempt)}&iframe=true`,
      exchange: async (_attempt, returned) => fetchEmployee(context, settings, returned),
      notify: (message) => sendNotification(context, settings, message),
      checks: [
        {
          step: 'secret',
          // Two hosts with the same secret: the old interface gives the app's own token, the new one redeems codes.
          async run() {
            await fetchAppToken(context, appOf(settings))
            await tryCode(context, settings)
          },
        },
        { step: 'corporation', run: () => checkCorpId(context, settings) },
        {
          step: 'permission',
          run: () => requireRejection('member', ['60121', '33012'], findEmployee(context, settings, NOBODY)),
        },
      ],
    }
  },
}

function buildAuthorizeUrl(
  { loginHost, clientId, corpId }: DingdingSettings,
  { redirectUri, state }: AuthorizationAttempt,
): string {
  const query = { redirect_uri: redirectUri, response_type: 'code', client_id: clientId, scope: 'openid corpid', state }
  return `${loginHost}/oauth2/auth?${new URLSearchParams({ ...query, prompt: 'consent', corpId })}`
}

const appOf = ({ oldApiHost: host, clientId: application, clientSecret: secret }: DingdingSettings) =>
  oldApp({ host, application, secret })

const callApp = (
  context: ConnectorContext,
  settings: DingdingSettings,
  call: { step: string; path: string; body: object },
) => callAsApp(context, appOf(settings), call)

/** The employee with a UnionID. */
const findEmployee = (context: ConnectorContext, settings: DingdingSettings, unionid: string) =>
  callApp(context, settings, { step: 'member', path: '/topapi/user/getbyunionid', body: { unionid } })

/** Characters of a text that DingTalk accepts. */
const MAX_TEXT_LENGTH = 2000

/** A work notification. The same text to the same person is accepted once a day. */
async function sendNotification(
  context: ConnectorContext,
  settings: DingdingSettings,
  { to, text, agentId }: VendorMessage,
): Promise<string> {
  const employee = await findEmployee(context, settings, to)
  const userid = textAtPointer(employee, '/result/userid')
  if (userid === '' || userid.includes(',')) throw new ConnectorFault('not-member', 'message: no employee')
  const answer = await callApp(context, settings, {
    step: 'message',
    path: '/topapi/message/corpconversation/asyncsend_v2',
    body: {
      agent_id: Number(agentId),
      userid_list: userid,
      to_all_user: false,
      msg: { msgtype: 'text', text: { content: text.slice(0, MAX_TEXT_LENGTH) } },
    },
  })
  return textAtPointer(answer, '/task_id')
}

async function redeemCode(context: ConnectorContext, settings: DingdingSettings, code: string): Promise<string> {
  const { apiHost: host, clientId, clientSecret, corpId } = settings
  const body = { clientId, clientSecret, code, grantType: 'authorization_code' }
  const call = { step: 'token', host, path: '/v1.0/oauth2/userAccessToken', body }
  const document = await callVendor(context, call, newAnswers)
  // The organisation that the person chose on the vendor's page, if it asked for one.
  const chosen = textAtPointer(document, '/corpId')
  if (chosen !== '' && chosen !== corpId)
    throw new ConnectorFault('not-member', 'token: other organisation', 'other-organization')
  const token = textAtPointer(document, '/accessToken')
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return token
}

/** With a made-up code and a correct secret, only the code is rejected. */
async function tryCode(context: ConnectorContext, settings: DingdingSettings): Promise<void> {
  try {
    await redeemCode(context, settings, 'gatehousecheck')
  } catch (error) {
    if (!(error instanceof ConnectorFault) || error.reason !== 'refused') throw error
    if (error.vendorCode?.startsWith('invalidParameter')) return
    // The codes of this call are not documented completely.
    throw new UnclearAnswer('refused', error.detail, error.vendorCode)
  }
  throw new ConnectorFault('unusable', 'token: made-up value accepted')
}

/** Anybody with DingTalk can log in there; only employees of the organisation are accepted. */
async function fetchEmployee(
  context: ConnectorContext,
  settings: DingdingSettings,
  returned: Readonly<Record<string, string>>,
): Promise<ThirdPartyIdentity> {
  if (returned['error'] !== undefined) throw new ConnectorFault('cancelled', 'authorize')
  const token = await redeemCode(context, settings, codeOf(returned, ['authCode', 'code']))
  const headers = { 'x-acs-dingtalk-access-token': token }
  const call = { step: 'user', host: settings.apiHost, path: '/v1.0/contact/users/me', headers }
  const me = await callVendor(context, call, newAnswers)
  const subject = parseSubject(resolvePointer(me, '/unionId'))
  if (resolvePointer(me, '/visitor') === true) throw new ConnectorFault('not-member', 'user: visitor')
  const employee = await findEmployee(context, settings, subject)
  if (textAtPointer(employee, '/result/contact_type') === '1')
    throw new ConnectorFault('not-member', 'member: external')
  return {
    realm: settings.corpId,
    subject,
    claims: presentClaims({
      name: textAtPointer(me, '/nick'),
      number: textAtPointer(employee, '/result/userid'),
      phone: textAtPointer(me, '/mobile'),
      mailbox: textAtPointer(me, '/email'),
    }),
    // A phone number is DingTalk's login name; a mailbox may only have been typed.
    verified: textAtPointer(me, '/mobile') === '' ? [] : ['phone'],
  }
}
