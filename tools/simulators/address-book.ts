import { PEOPLE } from './people.ts'

export type BookDepartment = { id: number; name: string; parentId: number; order: number }
export type BookUser = {
  id: string
  name: string
  mobile: string
  email: string
  title: string
  /** DingTalk only. */
  number: string
  departments: number[]
  /** WeCom: 1 active, 2 disabled, 4 not activated yet, 5 has left. DingTalk: 1 means activated. */
  status: 1 | 2 | 4 | 5
}

/** The refusals of a vendor, each with its own code. */
export type BookProblem =
  | 'no-department'
  | 'no-parent'
  | 'has-people'
  | 'has-departments'
  | 'is-root'
  | 'department-exists'
  | 'department-name'
  | 'user-exists'
  | 'user-id'
  | 'no-user'
  | 'user-departments'
  | 'name'
  | 'mobile'
  | 'mobile-exists'
  | 'email'
  | 'email-exists'
  | 'no-contact'
  | 'out-of-scope'
  | 'no-permission'
  | 'too-often'
  | 'revoked'

export type BookRefusal = { problem: BookProblem }
export const refuse = (problem: BookProblem): BookRefusal => ({ problem })
export const isRefusal = (value: object): value is BookRefusal => 'problem' in value

/** The corporation's data at the vendor, and failures set by a test. Its root is department 1. */
export type AddressBook = {
  departments: Map<number, BookDepartment>
  /** By lower-case id. */
  users: Map<string, BookUser>
  /** Departments that the application can't see, including everything below them. */
  invisible: Set<number>
  /** People, by lower-case id, whom the application sees all the same. */
  visiblePeople: Set<string>
  /** Calls per minute; beyond that it refuses until the minute is over. Null: unlimited. */
  perMinute: number | null
  /** The newer assistants of WeCom: lists contain only ids. */
  idsOnly: boolean
  /** May the application write? */
  isWritable: boolean
  /** The failures of the next calls to these paths, with counts. */
  failNext: { path: string; problem: BookProblem; times: number }[]
  /** @returns null if the call may continue. */
  meter(at: Date): BookRefusal | null
}

const ROOT = 1
const SEED: readonly BookDepartment[] = [
  { id: ROOT, name: '示范大学', parentId: 0, order: 1 },
  { id: 2, name: '信息中心', parentId: ROOT, order: 40 },
  { id: 3, name: '计算机学院', parentId: ROOT, order: 30 },
  { id: 4, name: '软件工程系', parentId: 3, order: 20 },
  { id: 5, name: '校办', parentId: ROOT, order: 10 },
]

/** The initial corporation: four departments, one of them invisible, and those of `PEOPLE` who belong to it. */
export function createBook(): AddressBook {
  const members = PEOPLE.filter(({ standing }) => standing !== 'external' && standing !== 'snapshot')
  const departmentsOf = (index: number, standing: string) => {
    if (standing === 'invisible') return [5]
    return index === 1 ? [4, 2] : [2]
  }
  let minute = { begun: 0, calls: 0 }
  const book: AddressBook = {
    departments: new Map(SEED.map((department) => [department.id, { ...department }])),
    users: new Map(
      members.map(({ id, name, standing }, index) => [
        id.toLowerCase(),
        {
          id,
          name,
          mobile: `139000000${String(index).padStart(2, '0')}`,
          email: `${id.toLowerCase()}@school.example`,
          title: index === 0 ? '工程师' : '',
          number: `2026${String(index).padStart(4, '0')}`,
          departments: departmentsOf(index, standing),
          status: standing === 'left' ? 5 : 1,
        },
      ]),
    ),
    invisible: new Set([5]),
    visiblePeople: new Set(),
    perMinute: null,
    idsOnly: false,
    isWritable: true,
    failNext: [],
    meter(at) {
      const begun = Math.floor(at.getTime() / 60_000)
      if (minute.begun !== begun) minute = { begun, calls: 0 }
      minute.calls += 1
      return book.perMinute !== null && minute.calls > book.perMinute ? refuse('too-often') : null
    },
  }
  return book
}

export const isVisible = (book: AddressBook, id: number): boolean => {
  const department = book.departments.get(id)
  if (!department || book.invisible.has(id)) return false
  return department.parentId === 0 || isVisible(book, department.parentId)
}

/** Can the application see the user, in any visible department or by themselves? */
export const seesUser = (book: AddressBook, { id, departments }: BookUser): boolean =>
  book.visiblePeople.has(id.toLowerCase()) || departments.some((at) => isVisible(book, at))

export const childrenOf = ({ departments }: AddressBook, parentId: number): BookDepartment[] =>
  [...departments.values()].filter((department) => department.parentId === parentId)

/** A department and everything below it, as far as the application can see. */
export const branchOf = (book: AddressBook, id: number): BookDepartment[] => {
  const department = book.departments.get(id)
  if (!department || !isVisible(book, id)) return []
  return [department, ...childrenOf(book, id).flatMap((child) => branchOf(book, child.id))]
}

export const peopleOf = (book: AddressBook, departmentId: number): BookUser[] =>
  [...book.users.values()].filter(({ departments }) => departments.includes(departmentId))

type DepartmentChange = { id?: number; name?: string; parentId?: number; order?: number }

/** Creates or changes a department as both vendors do: names are unique among siblings. */
export function saveDepartment(
  book: AddressBook,
  change: DepartmentChange,
  isNew: boolean,
): BookDepartment | BookRefusal {
  const known = change.id === undefined ? undefined : book.departments.get(change.id)
  if (!isNew && (!known || !isVisible(book, known.id))) return refuse('no-department')
  if (isNew && known) return refuse('department-exists')
  const id = Math.max(...book.departments.keys()) + 1
  const wanted: BookDepartment = { id, name: '', parentId: 0, order: 0, ...known, ...change }
  const refusal = departmentProblem(book, wanted)
  if (refusal) return refusal
  book.departments.set(wanted.id, wanted)
  return wanted
}

function departmentProblem(book: AddressBook, wanted: BookDepartment): BookRefusal | null {
  const { id, name, parentId } = wanted
  const isBelowItself = branchOf(book, id).some((below) => below.id === parentId)
  if (id !== ROOT && (!isVisible(book, parentId) || isBelowItself)) return refuse('no-parent')
  if (name.trim() === '' || name.length > 64 || /[\\:*?"<>|]/.test(name)) return refuse('department-name')
  const isTaken = childrenOf(book, parentId).some((other) => other.id !== id && other.name === name)
  return isTaken ? refuse('department-exists') : null
}

export function removeDepartment(book: AddressBook, id: number): BookRefusal | null {
  if (!isVisible(book, id)) return refuse('no-department')
  if (id === ROOT) return refuse('is-root')
  if (childrenOf(book, id).length > 0) return refuse('has-departments')
  if (peopleOf(book, id).length > 0) return refuse('has-people')
  book.departments.delete(id)
  return null
}

/** Creates or changes a user: mobile numbers and email addresses are unique. */
export function saveUser(
  book: AddressBook,
  change: Partial<BookUser> & { id: string },
  isNew: boolean,
): BookUser | BookRefusal {
  const known = book.users.get(change.id.toLowerCase())
  if (!isNew && !known) return refuse('no-user')
  if (!isNew && known && !seesUser(book, known)) return refuse('out-of-scope')
  if (isNew && known) return refuse('user-exists')
  if (!/^[A-Za-z0-9][\w@.-]{0,63}$/.test(change.id)) return refuse('user-id')
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const empty = { name: '', mobile: '', email: '', title: '', number: '', departments: [], status: 4 as const }
  const wanted: BookUser = { ...empty, ...known, ...given, id: known?.id ?? change.id }
  const refusal = problemOf(book, wanted)
  if (refusal) return refusal
  book.users.set(wanted.id.toLowerCase(), wanted)
  return wanted
}

function problemOf(book: AddressBook, wanted: BookUser): BookRefusal | null {
  if (wanted.name === '' || wanted.name.length > 64) return refuse('name')
  if (wanted.departments.length === 0 || wanted.departments.some((id) => !isVisible(book, id)))
    return refuse('user-departments')
  if (wanted.mobile !== '' && !/^(\+\d{1,4}-?)?\d{5,20}$/.test(wanted.mobile)) return refuse('mobile')
  if (wanted.email !== '' && !/^[^@\s]{1,64}@[^@\s]+$/.test(wanted.email)) return refuse('email')
  const others = [...book.users.values()].filter(({ id }) => id.toLowerCase() !== wanted.id.toLowerCase())
  if (wanted.mobile !== '' && others.some(({ mobile }) => mobile === wanted.mobile)) return refuse('mobile-exists')
  if (wanted.email !== '' && others.some(({ email }) => email === wanted.email)) return refuse('email-exists')
  return null
}

export function removeUser(book: AddressBook, id: string): BookRefusal | null {
  const known = book.users.get(id.toLowerCase())
  if (!known) return refuse('no-user')
  if (!seesUser(book, known)) return refuse('out-of-scope')
  book.users.delete(id.toLowerCase())
  return null
}

/** What refuses a call before it is processed. */
export function stopped(book: AddressBook, path: string, isWrite: boolean, at: Date): BookRefusal | null {
  const limit = book.meter(at)
  if (limit) return limit
  const failing = book.failNext.find((entry) => entry.path === path && entry.times > 0)
  if (failing) {
    failing.times -= 1
    return refuse(failing.problem)
  }
  return isWrite && !book.isWritable ? refuse('no-permission') : null
}
