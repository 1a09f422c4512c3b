import {
  type AddressBook,
  type BookDepartment,
  type BookProblem,
  type BookRefusal,
  type BookUser,
  childrenOf,
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
import { findPerson } from './people.ts'
import { json, type Vendor } from './simulator.ts'
import type { Call, Reply, Simulator } from './simulator.types.ts'

/** DingTalk's codes, of its old API. */
const CODES: Record<BookProblem, [number, string]> = {
  'no-department': [60003, 'department not found'],
  'no-parent': [60004, 'parent department not found'],
  'has-people': [60005, 'department contains user'],
  'has-departments': [60006, 'department contains sub-departments'],
  'is-root': [60007, 'can not delete root department'],
  'department-exists': [60008, 'department existed'],
  'department-name': [60009, 'invalid department name'],
  'user-exists': [60102, 'userid existed'],
  'user-id': [33012, 'invalid userid'],
  'no-user': [60121, 'user not found'],
  'user-departments': [60003, 'department not found'],
  name: [40035, 'invalid parameter name'],
  mobile: [60103, 'mobile number is invalid'],
  'mobile-exists': [60104, 'mobile existed'],
  email: [60105, 'email is invalid'],
  'email-exists': [60106, 'email existed'],
  'no-contact': [40035, 'missing parameter mobile'],
  'out-of-scope': [50004, 'department or user out of scope'],
  'no-permission': [60011, 'no permission'],
  'too-often': [90018, 'too many calls'],
  revoked: [40014, 'invalid access_token'],
}
/** These are wrapped. */
const WRAPPED: ReadonlySet<BookProblem> = new Set(['no-permission', 'too-often'])

function failed(problem: BookProblem): Reply {
  const [code, message] = CODES[problem]
  const request_id = '1a2b3c'
  if (!WRAPPED.has(problem)) return json({ errcode: code, errmsg: message, request_id })
  const errmsg = `ding talk error[subcode=${code},submsg=${message}]`
  return json({ errcode: 88, sub_code: String(code), sub_msg: message, errmsg, request_id })
}
const done = (result?: unknown): Reply =>
  json({ errcode: 0, errmsg: 'ok', ...(result !== undefined && { result }), request_id: '1a2b3c' })

type Body = Record<string, unknown>
type Answer = (book: AddressBook, body: Body) => Reply | BookRefusal
const MAX_PAGE = 100

const departmentOf = ({ id, name, parentId, order }: BookDepartment) => ({
  dept_id: id,
  name,
  // The root has none.
  ...(parentId !== 0 && { parent_id: parentId }),
  order,
  create_dept_group: false,
  auto_add_user: false,
})

const userOf = ({ id, name, mobile, email, title, number, departments, status }: BookUser) => ({
  userid: id,
  unionid: findPerson((person) => person.id === id)?.unionid ?? `union-${id}`,
  name,
  state_code: '86',
  mobile,
  email,
  title,
  job_number: number,
  dept_id_list: departments,
  active: status === 1,
  admin: false,
  boss: false,
})

/** A user visible to the application. */
function seen(book: AddressBook, id: unknown): BookUser | BookRefusal {
  const user = book.users.get(String(id ?? '').toLowerCase())
  if (!user || user.status === 5) return refuse('no-user')
  return seesUser(book, user) ? user : refuse('out-of-scope')
}

const ofDepartment =
  (answer: (book: AddressBook, id: number, body: Body) => Reply | BookRefusal): Answer =>
  (book, body) => {
    const id = Number(body['dept_id'] ?? 1)
    if (!book.departments.has(id)) return refuse('no-department')
    return isVisible(book, id) ? answer(book, id, body) : refuse('out-of-scope')
  }

const seenChildren = (book: AddressBook, id: number) =>
  childrenOf(book, id).filter((child) => isVisible(book, child.id))
const employees = (book: AddressBook, id: number) => peopleOf(book, id).filter(({ status }) => status !== 5)

/** A page of a department's users. */
const pageOf = (tell: (user: BookUser) => object): Answer =>
  ofDepartment((book, id, body) => {
    const size = Number(body['size'])
    if (!(size >= 1 && size <= MAX_PAGE)) return json({ errcode: 40035, errmsg: 'invalid parameter size' })
    const from = Number(body['cursor'] ?? 0)
    const people = employees(book, id)
    const hasMore = from + size < people.length
    const list = people.slice(from, from + size).map(tell)
    return done({ has_more: hasMore, ...(hasMore && { next_cursor: from + size }), list })
  })

const userChange = (body: Body): Partial<BookUser> & { id: string } => {
  const { userid, name, mobile, email, title, job_number: number, dept_id_list: departments } = body
  return {
    id: String(userid ?? ''),
    ...(name !== undefined && { name: String(name) }),
    ...(mobile !== undefined && { mobile: String(mobile) }),
    ...(email !== undefined && { email: String(email) }),
    ...(title !== undefined && { title: String(title) }),
    ...(number !== undefined && { number: String(number) }),
    // A list in one string, as its API expects.
    ...(departments !== undefined && { departments: String(departments).split(',').map(Number) }),
  }
}

const departmentChange = (body: Body) => ({
  ...(body['dept_id'] !== undefined && { id: Number(body['dept_id']) }),
  ...(body['name'] !== undefined && { name: String(body['name']) }),
  ...(body['parent_id'] !== undefined && { parentId: Number(body['parent_id']) }),
  ...(body['order'] !== undefined && { order: Number(body['order']) }),
})

const calls: Record<string, ['read' | 'write', Answer]> = {
  '/topapi/v2/department/listsub': ['read', ofDepartment((book, id) => done(seenChildren(book, id).map(departmentOf)))],
  '/topapi/v2/department/listsubid': [
    'read',
    ofDepartment((book, id) => done({ dept_id_list: seenChildren(book, id).map((child) => child.id) })),
  ],
  '/topapi/v2/department/get': [
    'read',
    ofDepartment((book, id) => done(departmentOf(book.departments.get(id) as BookDepartment))),
  ],
  '/topapi/v2/user/list': ['read', pageOf(userOf)],
  '/topapi/user/listsimple': ['read', pageOf(({ id, name }) => ({ userid: id, name }))],
  '/topapi/user/listid': [
    'read',
    ofDepartment((book, id) => done({ userid_list: employees(book, id).map((user) => user.id) })),
  ],
  '/topapi/v2/user/get': [
    'read',
    (book, body) => {
      const user = seen(book, body['userid'])
      return isRefusal(user) ? user : done(userOf(user))
    },
  ],
  '/topapi/v2/user/getbymobile': [
    'read',
    (book, body) => {
      const user = [...book.users.values()].find(({ mobile }) => mobile !== '' && mobile === body['mobile'])
      return user ? done({ userid: user.id }) : refuse('no-user')
    },
  ],
  '/topapi/v2/department/create': [
    'write',
    (book, body) => {
      const saved = saveDepartment(book, departmentChange({ ...body, dept_id: undefined }), true)
      return isRefusal(saved) ? saved : done({ dept_id: saved.id })
    },
  ],
  '/topapi/v2/department/update': [
    'write',
    (book, body) => {
      const saved = saveDepartment(book, departmentChange(body), false)
      return isRefusal(saved) ? saved : done()
    },
  ],
  '/topapi/v2/department/delete': ['write', (book, body) => removeDepartment(book, Number(body['dept_id'])) ?? done()],
  '/topapi/v2/user/create': [
    'write',
    (book, body) => {
      const change = userChange(body)
      if (!change.mobile) return refuse('no-contact')
      const saved = saveUser(book, change, true)
      return isRefusal(saved) ? saved : done({ userid: saved.id, unionId: `union-${saved.id}` })
    },
  ],
  '/topapi/v2/user/update': [
    'write',
    (book, body) => {
      const saved = saveUser(book, userChange(body), false)
      return isRefusal(saved) ? saved : done()
    },
  ],
  '/topapi/v2/user/delete': ['write', (book, body) => removeUser(book, String(body['userid'] ?? '')) ?? done()],
}

/** DingTalk's address book. */
export const dingdingBook: Vendor['calls'] = Object.fromEntries(
  Object.entries(calls).map(([path, [kind, answer]]) => [
    path,
    {
      step: 'book',
      answer(simulator: Simulator, { query, body }: Call): Reply {
        if (simulator.subjectOf(query.get('access_token') ?? '') !== 'app') return failed('revoked')
        if (!body) return json({ errcode: 40035, errmsg: 'missing parameter' })
        const answered =
          stopped(simulator.book, path, kind === 'write', simulator.now()) ?? answer(simulator.book, body)
        return isRefusal(answered) ? failed(answered.problem) : answered
      },
    } as const,
  ]),
)
