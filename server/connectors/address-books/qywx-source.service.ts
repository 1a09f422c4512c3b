import type { ConnectorContext } from '../connector.types.ts'
import { type OpenSource, SourceFault, type SourceSettings, type Wait } from '../data-source.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import { corpApp } from '../qywx/qywx-call.service.ts'
import { isInOne, openBookSource } from './book-source.service.ts'
import type { BookItem } from './book-source.types.ts'
import { createSourceCall, rowsAt, type SourceCall } from './source-call.service.ts'

const IDS_LIMIT = 10_000
/** Has left. */
const LEFT = '5'
const NO_PERMISSION = ['48002']
const GONE = ['60111']
const NOT_VISIBLE = ['60011']

/** WeCom's address book as visible to one app; if only ids are returned, each person is requested. */
export function openQywxSource(settings: SourceSettings, context: ConnectorContext, wait?: Wait): Promise<OpenSource> {
  const { call, isEncrypted } = createSourceCall(context, settings, corpApp, wait)
  let departments: Promise<BookItem[]> | undefined
  const list = () => (departments ??= listDepartments(call))
  return openBookSource({
    server: 'WeCom',
    isEncrypted,
    connect: async () => void (await list()),
    known: {
      departments: ['id', 'name', 'name_en', 'parentid', 'order', 'department_leader'],
      people: [
        ...['userid', 'name', 'department', 'main_department', 'position', 'status'],
        ...['mobile', 'email', 'biz_mail', 'gender', 'alias', 'telephone', 'direct_leader'],
      ],
    },
    async *departments() {
      yield* await list()
    },
    async *people() {
      for await (const member of readMembers(call, await list())) yield withAttributes(member)
    },
    async person(userid) {
      const query = { userid }
      const allowed = [...GONE, ...NOT_VISIBLE]
      const member = await call({ step: 'user/get', path: '/cgi-bin/user/get', query, allowed })
      if (!member || textAtPointer(member, '/status') === LEFT) return null
      // Somebody may be visible whose departments are not; a read of everything doesn't return them.
      const ids = new Set((await list()).map((department) => textAtPointer(department, '/id')))
      return isInOne(member['department'], ids) ? withAttributes(member) : null
    },
  })
}

async function listDepartments(call: SourceCall): Promise<BookItem[]> {
  const path = '/cgi-bin/department/list'
  const whole = await call({ step: 'department/list', path, allowed: NO_PERMISSION, isOnce: true })
  if (whole) return rowsAt(whole, '/department')
  const ids = await call({ step: 'department/simplelist', path: '/cgi-bin/department/simplelist', isOnce: true })
  return rowsAt(ids, '/department_id')
}

/** Each once, even in several departments. */
async function* readMembers(call: SourceCall, departments: readonly BookItem[]): AsyncGenerator<BookItem> {
  const seen = new Set<string>()
  for (const department of departments) {
    const id = textAtPointer(department, '/id')
    const step = `user/list ${id}`
    const query = { department_id: id }
    const isFirst = department === departments[0]
    const answer = await call({
      ...{ step, path: '/cgi-bin/user/list', query },
      ...(isFirst && { allowed: NO_PERMISSION }),
    })
    if (!answer) return yield* readByIds(call)
    for (const member of rowsAt(answer, '/userlist')) {
      // Unique ignoring case, and not always returned in the same case.
      const userid = textAtPointer(member, '/userid').toLowerCase()
      if (seen.has(userid) || textAtPointer(member, '/status') === LEFT) continue
      seen.add(userid)
      yield member
    }
  }
}

/** The address book's assistant may list only ids; whether it may request their people varies. */
async function* readByIds(call: SourceCall): AsyncGenerator<BookItem> {
  let mayAsk = true
  for (const [userid, department] of await listIds(call)) {
    const member = mayAsk
      ? await call({
          ...{ step: 'user/get', path: '/cgi-bin/user/get', query: { userid } },
          allowed: [...NO_PERMISSION, ...GONE],
        })
      : null
    // Either it never may, or this one has been deleted since.
    if (mayAsk && !member) mayAsk = await isAnybodyTold(call, userid)
    if (mayAsk && !member) continue
    if (textAtPointer(member ?? {}, '/status') !== LEFT) yield { userid, department, ...member }
  }
}

/** Was somebody rejected because they are gone, rather than because nobody may be requested? */
const isAnybodyTold = async (call: SourceCall, userid: string): Promise<boolean> =>
  (await call({ step: 'user/get', path: '/cgi-bin/user/get', query: { userid }, allowed: GONE }).catch(
    (error: unknown) => {
      if (error instanceof SourceFault && error.problem === 'no-rights') return error
      throw error
    },
  )) === null

async function listIds(call: SourceCall): Promise<Map<string, unknown[]>> {
  const people = new Map<string, unknown[]>()
  let cursor = ''
  do {
    const body = { cursor, limit: IDS_LIMIT }
    const answer = await call({ step: 'user/list_id', path: '/cgi-bin/user/list_id', body })
    for (const row of rowsAt(answer, '/dept_user')) {
      const userid = textAtPointer(row, '/userid')
      people.set(userid, [...(people.get(userid) ?? []), row['department']])
    }
    const next = textAtPointer(answer, '/next_cursor')
    if (next !== '' && next === cursor) throw new SourceFault('repeated-page', 'user/list_id')
    cursor = next
  } while (cursor !== '')
  return people
}

/** Custom fields, by their names: `extattr.工号`. */
function withAttributes({ extattr, ...member }: BookItem): BookItem {
  const attributes = (extattr as { attrs?: unknown } | undefined)?.attrs
  if (!Array.isArray(attributes)) return member
  const own = attributes.map((one) => [textAtPointer(one, '/name'), textAtPointer(one, '/text/value')])
  return { ...member, extattr: Object.fromEntries(own) }
}
