import { branchOf } from '../address-book.ts'
import { json, type Vendor } from '../simulator.ts'
import type { Call, Mailbox, Reply, Simulator } from '../simulator.types.ts'
import { type AccountProblem, saveMailbox, stoppedCall } from './mailbox-accounts.ts'
import { followLink, issueLink, mailboxStateOf } from './mailbox-page.ts'

const TITLE = 'Tencent Exmail (simulated)'
const CORP_ID = 'wm1234567890abcdef'
const SECRET = 'nothing-secret-in-a-simulator'
/** Each function has its own. */
const CONTACTS_SECRET = 'address-book-of-a-simulator'

const failed = (errcode: number, errmsg: string): Reply => json({ errcode, errmsg })

function token(simulator: Simulator, { query }: Call): Reply {
  if (query.get('corpid') !== CORP_ID) return failed(40013, 'invalid corpid')
  const subject = new Map([
    [SECRET, 'app'],
    [CONTACTS_SECRET, 'contacts'],
  ]).get(query.get('corpsecret') ?? '')
  if (!subject) return failed(40001, 'invalid credential')
  return json({ errcode: 0, errmsg: 'ok', access_token: simulator.issueToken(subject), expires_in: 7200 })
}

const CODES: Partial<Record<AccountProblem, [number, string]>> = {
  'user-exists': [60102, 'userid existed'],
  'no-user': [60111, 'userid not found'],
  'user-departments': [60003, 'department not found'],
  name: [60112, 'invalid name'],
  domain: [60113, 'invalid domain'],
  password: [60119, 'invalid password'],
  'too-many-accounts': [60116, 'too many members'],
  'no-permission': [48002, 'api forbidden'],
  'too-often': [45009, 'api freq out of limit'],
}
const refused = (problem: AccountProblem): Reply => failed(...(CODES[problem] ?? ([40035, problem] as const)))

const userOf = ({ address, name, mobile, departments, isDisabled }: Mailbox) => ({
  userid: address,
  name,
  department: departments,
  position: '',
  mobile,
  gender: '0',
  enable: isDisabled ? 0 : 1,
  slaves: [],
  cpwd_login: 0,
})

/** Answers of the address book, whose token is another than that of single sign-on. */
const ofContacts =
  (path: string, isWrite: boolean, answer: (simulator: Simulator, call: Call) => Reply) =>
  (simulator: Simulator, call: Call): Reply => {
    const subject = simulator.subjectOf(call.query.get('access_token') ?? '')
    if (subject === undefined) return failed(40014, 'invalid access_token')
    if (subject !== 'contacts') return failed(48002, 'api forbidden')
    const problem = stoppedCall(simulator, path, isWrite)
    return problem ? refused(problem) : answer(simulator, call)
  }

const isPlaced = ({ book }: Simulator, departments: unknown) =>
  Array.isArray(departments) && departments.length > 0 && departments.every((id) => book.departments.has(Number(id)))

const text = (value: unknown) => (value === undefined ? undefined : String(value))

const save = (isNew: boolean) =>
  ofContacts(`/cgi-bin/user/${isNew ? 'create' : 'update'}`, true, (simulator, { body }) => {
    if (!body) return failed(40035, 'invalid parameter')
    if (isNew && !isPlaced(simulator, body['department'])) return refused('user-departments')
    const { userid, name, mobile, department: departments, password, enable } = body
    const change = { name: text(name), mobile: text(mobile), password: text(password), departments }
    const isDisabled = enable === undefined ? undefined : Number(enable) === 0
    const problem = saveMailbox(simulator, { address: String(userid), ...change, isDisabled } as never, isNew)
    return problem ? refused(problem) : json({ errcode: 0, errmsg: isNew ? 'created' : 'updated' })
  })

const get = ofContacts('/cgi-bin/user/get', false, ({ mailboxes }, { query }) => {
  const found = mailboxes.get((query.get('userid') ?? '').toLowerCase())
  return found ? json({ errcode: 0, errmsg: 'ok', ...userOf(found) }) : refused('no-user')
})

const departments = ofContacts('/cgi-bin/department/list', false, ({ book }) =>
  json({
    errcode: 0,
    errmsg: 'ok',
    department: [...book.departments.values()].map(({ id, name, parentId, order }) => ({
      id,
      name,
      parentid: parentId,
      order,
    })),
  }),
)

/** The members of one department; with `fetch_child` also those of the departments below. */
const list = ofContacts('/cgi-bin/user/list', false, ({ mailboxes, book }, { query }) => {
  const id = Number(query.get('department_id'))
  if (!book.departments.has(id)) return refused('user-departments')
  const places = new Set(query.get('fetch_child') === '1' ? branchOf(book, id).map((below) => below.id) : [id])
  const found = [...mailboxes.values()].filter((one) => one.departments.some((place) => places.has(Number(place))))
  return json({ errcode: 0, errmsg: 'ok', userlist: found.map(userOf) })
})

function link(simulator: Simulator, { query }: Call): Reply {
  const subject = simulator.subjectOf(query.get('access_token') ?? '')
  if (subject === undefined) return failed(40014, 'invalid access_token')
  if (subject !== 'app') return failed(48002, 'api forbidden')
  const userid = query.get('userid') ?? ''
  const state = mailboxStateOf(simulator, userid)
  if (state === 'unknown') return failed(60111, 'userid not found')
  if (state === 'stopped') return failed(60120, 'user disabled')
  const authkey = issueLink(simulator, userid, CORP_ID)
  const search = new URLSearchParams({ fun: 'bizopenssologin', method: 'openapi', userid, authkey })
  // Like the real one: always its own host, whatever the institution's domain.
  return json({ errcode: 0, errmsg: 'ok', login_url: `https://exmail.qq.com/cgi-bin/login?${search}`, expires_in: 300 })
}

/** Tencent Exmail. */
export const exmail: Vendor = {
  title: TITLE,
  settings: (url) => ({ driver: 'exmail', corpId: CORP_ID, secret: SECRET, apiHost: url, loginHost: url }),
  contacts: (url) => ({ application: CORP_ID, secret: CONTACTS_SECRET, host: url }),
  application: CORP_ID,
  returnedCode: '',
  pages: {},
  shows: {
    '/cgi-bin/login': (simulator, query) => followLink(simulator, TITLE, query.get('authkey') ?? '', CORP_ID),
  },
  calls: {
    '/cgi-bin/gettoken': { step: 'token', answer: token },
    '/cgi-bin/service/get_login_url': { step: 'user', answer: link },
    '/cgi-bin/user/create': { step: 'book', answer: save(true) },
    '/cgi-bin/user/update': { step: 'book', answer: save(false) },
    '/cgi-bin/user/get': { step: 'book', answer: get },
    '/cgi-bin/user/list': { step: 'book', answer: list },
    '/cgi-bin/department/list': { step: 'book', answer: departments },
  },
  busy: failed(45009, 'api freq out of limit'),
  address: failed(60020, 'not allow to access from your ip'),
}
