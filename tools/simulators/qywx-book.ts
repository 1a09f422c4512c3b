import {
  type AddressBook,
  type BookDepartment,
  type BookProblem,
  type BookRefusal,
  type BookUser,
  branchOf,
  isRefusal,
  isVisible,
  peopleOf,
  refuse,
  removeDepartment,
  removeUser,
  saveDepartment,
  saveUser,
  seesUser,
  stopped,
} from './address-book.ts'
import { json, type Vendor } from './simulator.ts'
import type { Call, Reply, Simulator } from './simulator.types.ts'

/** WeCom's codes. */
const CODES: Record<BookProblem, [number, string]> = {
  'no-department': [60003, 'department not found'],
  'no-parent': [60004, 'parent department not found'],
  'has-people': [60005, 'department contains user'],
  'has-departments': [60006, 'department contains sub-departments'],
  'is-root': [60007, 'can not delete root department'],
  'department-exists': [60008, 'department existed'],
  'department-name': [60009, 'invalid department name'],
  'user-exists': [60102, 'userid existed'],
  'user-id': [40003, 'invalid userid'],
  'no-user': [60111, 'userid not found'],
  'user-departments': [60123, 'invalid party id'],
  name: [60112, 'invalid name'],
  mobile: [60103, 'mobile number is invalid'],
  'mobile-exists': [60104, 'mobile existed'],
  email: [60105, 'email is invalid'],
  'email-exists': [60106, 'email existed'],
  'no-contact': [60129, 'missing mobile or email'],
  'out-of-scope': [60011, 'no privilege to access/modify contact/party/agent'],
  'no-permission': [48002, 'api forbidden'],
  'too-often': [45009, 'api freq out of limit'],
  revoked: [40014, 'invalid access_token'],
}

/** A refusal of WeCom. */
export const failed = (errcode: number, errmsg: string): Reply =>
  json({ errcode, errmsg: `${errmsg}, hint: [1599311894_80_c115], from ip: 127.0.0.1` })
const done = (more: object = {}): Reply => json({ errcode: 0, errmsg: 'ok', ...more })

type Kind = 'read' | 'write'
type Answer = (book: AddressBook, call: Call) => Reply | BookRefusal
const MAX_DEPARTMENTS = 100
const MAX_BATCH = 200
const MAX_PAGE = 10_000

const departmentOf = ({ id, name, parentId, order }: BookDepartment) => ({
  id,
  name,
  name_en: '',
  department_leader: [],
  parentid: parentId,
  order,
})

const userOf = (book: AddressBook, { id, name, mobile, email, title, departments, status }: BookUser) => ({
  userid: id,
  name,
  department: departments,
  order: departments.map(() => 0),
  is_leader_in_dept: departments.map(() => 0),
  main_department: departments[0],
  position: title,
  status,
  enable: status === 2 ? 0 : 1,
  ...(!book.idsOnly && { mobile, email, biz_mail: '', gender: '0', alias: '', telephone: '' }),
})

const branchAsked = (book: AddressBook, { query }: Call, name: string): BookDepartment[] | BookRefusal => {
  const id = Number(query.get(name) || 1)
  if (!book.departments.has(id)) return refuse('no-department')
  return isVisible(book, id) ? branchOf(book, id) : refuse('out-of-scope')
}

/** A department's users, with `fetch_child` including everything below. */
const peopleAsked: (tell: (book: AddressBook, user: BookUser) => object) => Answer = (tell) => (book, call) => {
  if (book.idsOnly) return refuse('no-permission')
  const branch = branchAsked(book, call, 'department_id')
  if (isRefusal(branch)) return branch
  const departments = call.query.get('fetch_child') === '1' ? branch : branch.slice(0, 1)
  const people = new Set(departments.flatMap(({ id }) => peopleOf(book, id)))
  return done({ userlist: [...people].map((user) => tell(book, user)) })
}

const numbers = (value: unknown): number[] | undefined => (Array.isArray(value) ? value.map(Number) : undefined)

/** The body of user/create or user/update. The main department comes first. */
const userChange = (book: AddressBook, body: Record<string, unknown>): Partial<BookUser> & { id: string } => {
  const departments = numbers(body['department'])
  const main = Number(body['main_department'] ?? departments?.[0])
  const status = book.users.get(String(body['userid']).toLowerCase())?.status ?? 4
  const enabled = status === 2 ? 1 : status
  return {
    id: String(body['userid'] ?? ''),
    ...(departments && { departments: [...departments].sort((a, b) => Number(b === main) - Number(a === main)) }),
    ...(body['name'] !== undefined && { name: String(body['name']) }),
    ...(body['mobile'] !== undefined && { mobile: String(body['mobile']) }),
    ...(body['email'] !== undefined && { email: String(body['email']) }),
    ...(body['position'] !== undefined && { title: String(body['position']) }),
    ...(body['enable'] !== undefined && { status: Number(body['enable']) === 0 ? 2 : enabled }),
  }
}

const saveAsked =
  (isNew: boolean): Answer =>
  (book, { body }) => {
    if (!body) return failed(40035, 'invalid parameter')
    const change = userChange(book, body)
    if (isNew && !change.mobile && !change.email) return refuse('no-contact')
    if ((change.departments?.length ?? 1) > MAX_DEPARTMENTS) return refuse('user-departments')
    const saved = saveUser(book, change, isNew)
    return isRefusal(saved) ? saved : done()
  }

const departmentChange = ({ id, name, parentid, order }: Record<string, unknown>) => ({
  ...(id !== undefined && { id: Number(id) }),
  ...(name !== undefined && { name: String(name) }),
  ...(parentid !== undefined && { parentId: Number(parentid) }),
  ...(order !== undefined && { order: Number(order) }),
})

const saveDepartmentAsked =
  (isNew: boolean): Answer =>
  (book, { body }) => {
    if (!body) return failed(40035, 'invalid parameter')
    const saved = saveDepartment(book, departmentChange(body), isNew)
    if (isRefusal(saved)) return saved
    return done(isNew ? { id: saved.id } : {})
  }

/** One row per user and department; `next_cursor` is empty at the end. */
const idsAsked: Answer = (book, { body }) => {
  if (!body) return failed(40035, 'invalid parameter')
  const limit = Math.min(Number(body['limit'] ?? MAX_PAGE), MAX_PAGE)
  const from = Number(String(body['cursor'] ?? '') || 0)
  const rows = [...book.users.values()].flatMap(({ id, departments }) =>
    departments.filter((department) => isVisible(book, department)).map((department) => ({ userid: id, department })),
  )
  const next = from + limit < rows.length ? String(from + limit) : ''
  return done({ next_cursor: next, dept_user: rows.slice(from, from + limit) })
}

const calls: Record<string, [Kind, Answer]> = {
  '/cgi-bin/department/list': [
    'read',
    (book, call) => {
      const branch = branchAsked(book, call, 'id')
      return isRefusal(branch) ? branch : done({ department: branch.map(departmentOf) })
    },
  ],
  '/cgi-bin/department/simplelist': [
    'read',
    (book, call) => {
      const branch = branchAsked(book, call, 'id')
      if (isRefusal(branch)) return branch
      return done({ department_id: branch.map(({ id, parentId, order }) => ({ id, parentid: parentId, order })) })
    },
  ],
  '/cgi-bin/department/get': [
    'read',
    (book, call) => {
      const branch = branchAsked(book, call, 'id')
      return isRefusal(branch) ? branch : done({ department: departmentOf(branch[0] as BookDepartment) })
    },
  ],
  '/cgi-bin/user/simplelist': [
    'read',
    peopleAsked((_book, { id, name, departments }) => ({ userid: id, name, department: departments })),
  ],
  '/cgi-bin/user/list': ['read', peopleAsked(userOf)],
  '/cgi-bin/user/list_id': ['read', idsAsked],
  '/cgi-bin/user/get': [
    'read',
    (book, { query }) => {
      const user = book.users.get((query.get('userid') ?? '').toLowerCase())
      if (!user) return refuse('no-user')
      return seesUser(book, user) ? done(userOf(book, user)) : refuse('out-of-scope')
    },
  ],
  '/cgi-bin/department/create': ['write', saveDepartmentAsked(true)],
  '/cgi-bin/department/update': ['write', saveDepartmentAsked(false)],
  '/cgi-bin/department/delete': [
    'write',
    (book, { query }) => removeDepartment(book, Number(query.get('id'))) ?? done(),
  ],
  '/cgi-bin/user/create': ['write', saveAsked(true)],
  '/cgi-bin/user/update': ['write', saveAsked(false)],
  '/cgi-bin/user/delete': ['write', (book, { query }) => removeUser(book, query.get('userid') ?? '') ?? done()],
  '/cgi-bin/user/batchdelete': [
    'write',
    (book, { body }) => {
      const ids = body?.['useridlist']
      if (!Array.isArray(ids) || ids.length > MAX_BATCH) return failed(40058, 'useridlist')
      for (const id of ids) removeUser(book, String(id))
      return done()
    },
  ],
}

/** Who may call: an app reads, the address book assistant also writes. */
function answerBook(simulator: Simulator, call: Call, path: string, [kind, answer]: [Kind, Answer]): Reply {
  const subject = simulator.subjectOf(call.query.get('access_token') ?? '')
  if (subject !== 'app' && subject !== 'contacts') return failed(...CODES.revoked)
  const refusal = stopped(simulator.book, path, kind === 'write', simulator.now())
  const answered =
    refusal ?? (kind === 'write' && subject !== 'contacts' ? refuse('no-permission') : answer(simulator.book, call))
  return isRefusal(answered) ? failed(...CODES[answered.problem]) : answered
}

/** WeCom's address book. */
export const qywxBook: Vendor['calls'] = Object.fromEntries(
  Object.entries(calls).map(([path, entry]) => [
    path,
    // Logins also request a member.
    {
      step: path === '/cgi-bin/user/get' ? 'member' : 'book',
      answer: (simulator: Simulator, call: Call) => answerBook(simulator, call, path, entry),
    } as const,
  ]),
)
