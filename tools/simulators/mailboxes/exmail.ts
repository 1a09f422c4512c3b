import { type Call, json, type Reply, type Simulator, type Vendor } from '../simulator.ts'
import { followLink, issueLink, standingOf } from './mailbox-page.ts'

const TITLE = 'Tencent Exmail (simulated)'
const CORP_ID = 'wm1234567890abcdef'
const SECRET = 'nothing-secret-in-a-simulator'

const failed = (errcode: number, errmsg: string): Reply => json({ errcode, errmsg })

function token(simulator: Simulator, { query }: Call): Reply {
  if (query.get('corpid') !== CORP_ID) return failed(40013, 'invalid corpid')
  if (query.get('corpsecret') !== SECRET) return failed(40001, 'invalid credential')
  return json({ errcode: 0, errmsg: 'ok', access_token: simulator.issueToken('app'), expires_in: 7200 })
}

function link(simulator: Simulator, { query }: Call): Reply {
  if (simulator.subjectOf(query.get('access_token') ?? '') !== 'app') return failed(40014, 'invalid access_token')
  const userid = query.get('userid') ?? ''
  const standing = standingOf(simulator, userid)
  if (standing === 'unknown') return failed(60111, 'userid not found')
  if (standing === 'stopped') return failed(60120, 'user disabled')
  const authkey = issueLink(simulator, userid, CORP_ID)
  const search = new URLSearchParams({ fun: 'bizopenssologin', method: 'openapi', userid, authkey })
  // Like the real one: always its own host, whatever the institution's domain.
  return json({ errcode: 0, errmsg: 'ok', login_url: `https://exmail.qq.com/cgi-bin/login?${search}`, expires_in: 300 })
}

/** Tencent Exmail. */
export const exmail: Vendor = {
  title: TITLE,
  settings: (url) => ({ driver: 'exmail', corpId: CORP_ID, secret: SECRET, apiHost: url, loginHost: url }),
  application: CORP_ID,
  returnedCode: '',
  pages: {},
  shows: {
    '/cgi-bin/login': (simulator, query) => followLink(simulator, TITLE, query.get('authkey') ?? '', CORP_ID),
  },
  calls: {
    '/cgi-bin/gettoken': { step: 'token', answer: token },
    '/cgi-bin/service/get_login_url': { step: 'user', answer: link },
  },
  busy: failed(45009, 'api freq out of limit'),
  address: failed(60020, 'not allow to access from your ip'),
}
