import type { ConnectorContext } from '../connector.types.ts'
import { resolvePointer, textAtPointer } from '../json-pointer.rules.ts'
import { corpApp } from '../qywx/qywx-call.service.ts'
import { BOOK_BOUNDS, callPaced } from '../vendor-budget.service.ts'
import { nullAt } from '../vendor-call.service.ts'
import type {
  BookDepartment,
  BookOptions,
  BookPerson,
  BookPersonFields,
  BookSettings,
  OpenAddressBook,
  OpenBook,
} from './address-book.types.ts'

/** Assistants registered from an address newer than August 2022 may list only ids. */
const NO_LIST = ['48002']
const IDS_PAGE = 10_000
const ACTIVE = '1'
const DISABLED = '2'

type Item = Record<string, unknown>
const items = (document: unknown, pointer: string): Item[] => (resolvePointer(document, pointer) as Item[]) ?? []
const textField = (item: Item, name: string): string | null => (typeof item[name] === 'string' ? item[name] : null)

function toPerson(item: Item): BookPerson {
  const status = String(item['status'])
  return {
    id: String(item['userid']),
    name: textField(item, 'name') ?? '',
    mobile: textField(item, 'mobile'),
    email: textField(item, 'email'),
    departments: ((item['department'] as number[] | undefined) ?? []).map(Number),
    isDisabled: status === DISABLED,
    hasJoined: status === ACTIVE,
  }
}

const toDepartment = ({ id, name, parentid }: Item): BookDepartment => ({
  id: Number(id),
  name: String(name ?? ''),
  parentId: Number(parentid),
})

const toBody = ({ departments, isDisabled, ...fields }: BookPersonFields) => ({
  ...fields,
  ...(departments && { department: departments, main_department: departments[0] }),
  ...(isDisabled !== undefined && { enable: isDisabled ? 0 : 1 }),
})

type Ask = (path: string, query: Record<string, string>, isWrite?: boolean, body?: object) => Promise<Item>

function createAsk(context: ConnectorContext, settings: BookSettings, { wait }: BookOptions): Ask {
  const app = corpApp(settings)
  return (path, query, isWrite = false, body) => {
    const call = { step: 'book', path, query, bounds: BOOK_BOUNDS, ...(body && { body }) }
    return callPaced(context, app, call, { isOnce: isWrite, wait })
  }
}

/** The ids of each department's people. */
async function readIds(ask: Ask): Promise<Map<number, string[]>> {
  const ids = new Map<number, string[]>()
  for (let cursor = ''; ; ) {
    const page = await ask('/cgi-bin/user/list_id', {}, false, { cursor, limit: IDS_PAGE })
    for (const { userid, department } of items(page, '/dept_user')) {
      const known = ids.get(Number(department)) ?? []
      known.push(String(userid))
      ids.set(Number(department), known)
    }
    const next = textAtPointer(page, '/next_cursor')
    if (next === '' || next === cursor) return ids
    cursor = next
  }
}

/** The people of a department: as a list, or one by one if the assistant may not list people. */
function peopleReader(ask: Ask, person: OpenAddressBook['person']): OpenAddressBook['people'] {
  let idsByDepartment: Promise<Map<number, string[]>> | null = null
  return async (department) => {
    const query = { department_id: String(department), fetch_child: '0' }
    const listed = idsByDepartment ? null : await nullAt(NO_LIST, ask('/cgi-bin/user/list', query))
    if (listed) return items(listed, '/userlist').map(toPerson)
    idsByDepartment ??= readIds(ask)
    const people: BookPerson[] = []
    for (const id of (await idsByDepartment).get(department) ?? []) {
      const one = await person(id)
      if (one) people.push(one)
    }
    return people
  }
}

/** WeCom's address book, with the secret of its assistant: no other may write there. */
export const openQywxBook: OpenBook = (context, settings, options) => {
  const ask = createAsk(context, settings, options)
  const write = (path: string, body: object) => ask(path, {}, true, body)
  const person = async (userid: string) => {
    const found = await nullAt(['60111'], ask('/cgi-bin/user/get', { userid }))
    return found && toPerson(found)
  }
  return {
    departments: async (root) => {
      const listed = await ask('/cgi-bin/department/list', { id: String(root) })
      return inOrder(items(listed, '/department').map(toDepartment), root)
    },
    department: async (id) => {
      const found = await nullAt(['60003'], ask('/cgi-bin/department/get', { id: String(id) }))
      return found && toDepartment(resolvePointer(found, '/department') as Item)
    },
    people: peopleReader(ask, person),
    person,
    createDepartment: async ({ name, parentId }) =>
      Number(textAtPointer(await write('/cgi-bin/department/create', { name, parentid: parentId }), '/id')),
    updateDepartment: async (id, { name, parentId }) =>
      void (await write('/cgi-bin/department/update', {
        id,
        ...(name !== undefined && { name }),
        ...(parentId !== undefined && { parentid: parentId }),
      })),
    deleteDepartment: async (id) => void (await ask('/cgi-bin/department/delete', { id: String(id) }, true)),
    createPerson: async (userid, fields) => void (await write('/cgi-bin/user/create', { userid, ...toBody(fields) })),
    updatePerson: async (userid, fields) => void (await write('/cgi-bin/user/update', { userid, ...toBody(fields) })),
    deletePerson: async (userid) => void (await ask('/cgi-bin/user/delete', { userid }, true)),
  }
}

/** Parents first, whatever order they arrived in. */
function inOrder(departments: readonly BookDepartment[], root: number): BookDepartment[] {
  const below = Map.groupBy(departments, ({ parentId }) => parentId)
  const ordered = departments.filter(({ id }) => id === root)
  for (const { id } of ordered) ordered.push(...(below.get(id) ?? []).filter((one) => one.id !== root))
  return ordered
}
