import { oldApp } from '../dingding/dingding-call.service.ts'
import { resolvePointer, textAtPointer } from '../json-pointer.rules.ts'
import { BOOK_BOUNDS, callPaced } from '../vendor-budget.service.ts'
import { nullAt } from '../vendor-call.service.ts'
import type { BookDepartment, BookPerson, BookPersonFields, OpenBook } from './address-book.types.ts'

const PAGE = 100
const NOBODY = ['60121', '33012']

type Item = Record<string, unknown>
const textField = (item: Item, name: string): string | null => (typeof item[name] === 'string' ? item[name] : null)

const toPerson = (item: Item): BookPerson => ({
  id: String(item['userid']),
  name: textField(item, 'name') ?? '',
  mobile: textField(item, 'mobile'),
  email: textField(item, 'email'),
  departments: ((item['dept_id_list'] as number[] | undefined) ?? []).map(Number),
  isDisabled: false,
  hasJoined: item['active'] === true,
})

const toDepartment = ({ dept_id: id, name, parent_id: parentId }: Item): BookDepartment => ({
  id: Number(id),
  name: String(name ?? ''),
  parentId: Number(parentId ?? 0),
})

const toBody = ({ departments, isDisabled: _, ...fields }: BookPersonFields) => ({
  ...fields,
  ...(departments && { dept_id_list: departments.join(',') }),
})

/** DingTalk's address book, through its old API. It can't disable people. */
export const openDingdingBook: OpenBook = (context, settings, { wait }) => {
  const app = oldApp(settings)
  const ask = (path: string, body: object, isWrite = false) =>
    callPaced(context, app, { step: 'book', path, body, bounds: BOOK_BOUNDS }, { isOnce: isWrite, wait })
  const write = (path: string, body: object) => ask(path, body, true)
  return {
    departments: async (root) => {
      const top = resolvePointer(await ask('/topapi/v2/department/get', { dept_id: root }), '/result') as Item
      const ordered: BookDepartment[] = [toDepartment(top)]
      const seen = new Set([root])
      // It returns only one level at a time.
      for (const { id } of ordered) {
        const answer = await ask('/topapi/v2/department/listsub', { dept_id: id })
        for (const one of (resolvePointer(answer, '/result') as Item[] | undefined) ?? []) {
          const child = Number(one['dept_id'])
          if (seen.has(child)) continue
          seen.add(child)
          ordered.push({ ...toDepartment(one), parentId: id })
        }
      }
      return ordered
    },
    department: async (id) => {
      const found = await nullAt(['60003'], ask('/topapi/v2/department/get', { dept_id: id }))
      return found && toDepartment(resolvePointer(found, '/result') as Item)
    },
    people: async (department) => {
      const people: BookPerson[] = []
      for (let cursor = 0; ; ) {
        const answer = await ask('/topapi/v2/user/list', { dept_id: department, cursor, size: PAGE })
        people.push(...((resolvePointer(answer, '/result/list') as Item[] | undefined) ?? []).map(toPerson))
        const next = Number(textAtPointer(answer, '/result/next_cursor'))
        if (textAtPointer(answer, '/result/has_more') !== 'true' || !(next > cursor)) return people
        cursor = next
      }
    },
    person: async (userid) => {
      const found = await nullAt(NOBODY, ask('/topapi/v2/user/get', { userid }))
      return found && toPerson(resolvePointer(found, '/result') as Item)
    },
    createDepartment: async ({ name, parentId }) =>
      Number(
        textAtPointer(await write('/topapi/v2/department/create', { name, parent_id: parentId }), '/result/dept_id'),
      ),
    updateDepartment: async (id, { name, parentId }) =>
      void (await write('/topapi/v2/department/update', {
        dept_id: id,
        ...(name !== undefined && { name }),
        ...(parentId !== undefined && { parent_id: parentId }),
      })),
    deleteDepartment: async (id) => void (await write('/topapi/v2/department/delete', { dept_id: id })),
    createPerson: async (userid, fields) => void (await write('/topapi/v2/user/create', { userid, ...toBody(fields) })),
    updatePerson: async (userid, fields) => void (await write('/topapi/v2/user/update', { userid, ...toBody(fields) })),
    deletePerson: async (userid) => void (await write('/topapi/v2/user/delete', { userid })),
  }
}
