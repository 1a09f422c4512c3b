import { QywxFrameHost, QywxSettings } from '#shared/contract/vendor-settings.ts'
import {
  type AuthorizationAttempt,
  type Connector,
  type ConnectorContext,
  ConnectorFault,
  type ThirdPartyIdentity,
  type VendorMessage,
} from '../connector.types.ts'
import { resolvePointer, textAtPointer } from '../json-pointer.rules.ts'
import { storedHost } from '../stored-host.rules.ts'
import { parseSubject } from '../subject.rules.ts'
import { callAsApp, codeOf, fetchAppToken, presentClaims } from '../vendor-call.service.ts'
import { corpApp } from './qywx-call.service.ts'

/** WeCom: an app that the institution created in its own corporation. */
export const qywx: Connector = {
  settings: QywxSettings,
  secrets: ['secret'],
  ownBrowser: /\bwxwork\//i,
  isSilent: () => true,
  frameOrigin: (stored) => storedHost(QywxFrameHost, stored, 'frameHost'),
  open(context, stored) {
    const settings = QywxSettings.parse(stored)
    const { corpId, agentId } = settings
    return {
      host: settings.apiHost,
      authorizeUrl: async (attempt) => buildAuthorizeUrl(settings, attempt),
      frameUrl: (attempt) => buildFrameUrl(settings, attempt),
      exchange: async (_attempt, returned) => fetchMember(context, settings, codeOf(returned)),
      notify: (message) => sendMessage(context, settings, message),
      checks: [
        { step: 'secret', run: async () => void (await fetchAppToken(context, appOf(settings))) },
        {
          step: 'application',
          run: async () => {
            const app = await callApp(context, settings, 'agent', '/cgi-bin/agent/get', { agentid: agentId })
            if (textAtPointer(app, '/agentid') !== agentId) throw new ConnectorFault('unusable', 'agent: other app')
            if (textAtPointer(app, '/close') === '1')
              throw new ConnectorFault('misconfigured', `agent of ${corpId} closed`, '50003')
          },
        },
        {
          step: 'range',
          run: async () => {
            const app = await callApp(context, settings, 'agent', '/cgi-bin/agent/get', { agentid: agentId })
            const lists = ['/allow_userinfos/user', '/allow_partys/partyid', '/allow_tags/tagid']
            const isNobody = lists.every((pointer) => !(resolvePointer(app, pointer) as unknown[] | undefined)?.length)
            if (isNobody) throw new ConnectorFault('misconfigured', 'agent: nobody sees it', 'no-range')
          },
        },
        {
          step: 'callback',
          run: async (redirectUri) => {
            const app = await callApp(context, settings, 'agent', '/cgi-bin/agent/get', { agentid: agentId })
            const trusted = textAtPointer(app, '/redirect_domain')
            if (trusted !== new URL(redirectUri).host)
              throw new ConnectorFault('misconfigured', 'agent: other domain', '50001')
          },
        },
      ],
    }
  },
}

/** The page that the vendor's own script would frame, 300 × 400. It posts the callback to its parent page. */
function buildFrameUrl({ corpId, agentId, frameHost }: QywxSettings, { redirectUri, state }: AuthorizationAttempt) {
  const query = { appid: corpId, agentid: agentId, redirect_uri: redirectUri, state, login_type: 'jssdk' }
  return `${frameHost}/wwopen/sso/qrConnect?${new URLSearchParams({ ...query, style: '', href: '' })}`
}

function buildAuthorizeUrl(settings: QywxSettings, { inApp, redirectUri, state }: AuthorizationAttempt): string {
  const { corpId, agentId, inAppHost, loginHost } = settings
  if (!inApp) {
    const query = { login_type: 'CorpApp', appid: corpId, agentid: agentId, redirect_uri: redirectUri, state }
    return `${loginHost}/wwlogin/sso/login?${new URLSearchParams(query)}`
  }
  const query = {
    appid: corpId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'snsapi_base',
    state,
    agentid: agentId,
  }
  return `${inAppHost}/connect/oauth2/authorize?${new URLSearchParams(query)}#wechat_redirect`
}

const appOf = ({ apiHost: host, corpId: application, secret }: QywxSettings) => corpApp({ host, application, secret })

/** A call with the app's token. */
const callApp = (
  context: ConnectorContext,
  settings: QywxSettings,
  step: string,
  path: string,
  query: Record<string, string>,
  body?: object,
) => callAsApp(context, appOf(settings), { step, path, query, ...(body && { body }) })

/** Bytes of a text that WeCom accepts. */
const MAX_TEXT_BYTES = 2048
/** Within this time WeCom drops a repetition, so that after a lost answer nobody gets a message twice. */
const DUPLICATE_SECONDS = 1800

async function sendMessage(context: ConnectorContext, settings: QywxSettings, { to, text }: VendorMessage) {
  const content = Buffer.from(text)
    .subarray(0, MAX_TEXT_BYTES)
    .toString()
    .replace(/\uFFFD+$/, '')
  const answer = await callApp(
    context,
    settings,
    'message',
    '/cgi-bin/message/send',
    {},
    {
      // `|` would name several people, `@all` everybody.
      touser: parseSubject(to).replaceAll('|', ''),
      msgtype: 'text',
      agentid: Number(settings.agentId),
      text: { content },
      enable_duplicate_check: 1,
      duplicate_check_interval: DUPLICATE_SECONDS,
    },
  )
  if (textAtPointer(answer, '/invaliduser') !== '' || textAtPointer(answer, '/unlicenseduser') !== '')
    throw new ConnectorFault('not-visible', 'message: invalid user', '81013')
  return textAtPointer(answer, '/msgid')
}

/** Members only: external contacts, people of linked companies and those who can't see the app are rejected. */
async function fetchMember(
  context: ConnectorContext,
  settings: QywxSettings,
  code: string,
): Promise<ThirdPartyIdentity> {
  const who = await callApp(context, settings, 'user', '/cgi-bin/auth/getuserinfo', { code })
  const userid = textAtPointer(who, '/userid') || textAtPointer(who, '/UserId')
  if (userid === '' || userid.includes('/')) throw new ConnectorFault('not-member', 'user: no member')
  // The call above also answers about members who can't see the app; this one does not.
  const member = await callApp(context, settings, 'member', '/cgi-bin/user/get', { userid })
  const status = textAtPointer(member, '/status')
  if (status === '5') throw new ConnectorFault('not-member', 'member: has left')
  if (status === '2') throw new ConnectorFault('not-visible', 'member: disabled')
  return {
    realm: settings.corpId,
    // Unique ignoring case, and not always returned in the same case.
    subject: parseSubject(userid.toLowerCase()),
    claims: presentClaims({ name: textAtPointer(member, '/name'), number: userid }),
    verified: [],
  }
}
