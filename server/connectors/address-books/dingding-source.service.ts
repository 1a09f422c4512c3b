import type { ConnectorContext } from '../connector.types.ts'
import { splitColumns } from '../counted-rows.service.ts'
import { type OpenSource, SourceFault, type SourceSettings, type Wait } from '../data-source.types.ts'
import { oldApp } from '../dingding/dingding-call.service.ts'
import { resolvePointer, textAtPointer } from '../json-pointer.rules.ts'
import { isInOne, openBookSource } from './book-source.service.ts'
import type { BookItem } from './book-source.types.ts'
import { createSourceCall, rowsAt, type SourceCall } from './source-call.service.ts'

const PAGE_SIZE = 100
const MAX_DEPARTMENTS = 20_000
const ROOT = '1'
/** Left, unknown, or in a department that the app may not read. */
const GONE = ['60121', '33012', '50002', '50004']

/** DingTalk's address book below the departments that an app may read; it is returned one level and one page at a time. */
export function openDingdingSource(
  settings: SourceSettings,
  context: ConnectorContext,
  wait?: Wait,
): Promise<OpenSource> {
  const { call, isEncrypted } = createSourceCall(context, settings, oldApp, wait)
  const given = splitColumns(settings.options.rootIds)
  const roots = given.length > 0 ? given : [ROOT]
  let ids: Promise<ReadonlySet<string>> | undefined
  const below = () => (ids ??= readIds(call, roots))
  return openBookSource({
    server: 'DingTalk',
    isEncrypted,
    connect: async () => void (await findDepartment(call, roots[0] ?? ROOT, true)),
    known: {
      departments: ['dept_id', 'name', 'parent_id', 'order'],
      people: [
        ...['userid', 'unionid', 'name', 'dept_id_list', 'job_number', 'title', 'active'],
        ...['mobile', 'state_code', 'email', 'org_email', 'telephone', 'work_place', 'remark', 'manager_userid'],
      ],
    },
    departments: () => readDepartments(call, roots),
    async *people() {
      const seen = new Set<string>()
      for await (const department of readDepartments(call, roots))
        for await (const user of readUsers(call, textAtPointer(department, '/dept_id'))) {
          const userid = textAtPointer(user, '/userid')
          if (seen.has(userid)) continue
          seen.add(userid)
          yield withExtension(user)
        }
    },
    async person(userid) {
      const path = '/topapi/v2/user/get'
      const answer = await call({ step: 'user/get', path, body: { userid }, allowed: GONE })
      if (!answer) return null
      const user = (answer['result'] ?? {}) as BookItem
      // Without roots, nobody is outside them.
      const isOurs = given.length === 0 || isInOne(user['dept_id_list'], await below())
      return isOurs ? withExtension(user) : null
    },
  })
}

async function findDepartment(call: SourceCall, id: string, isOnce = false): Promise<BookItem> {
  const body = { dept_id: Number(id) }
  const answer = await call({ step: `department/get ${id}`, path: '/topapi/v2/department/get', body, isOnce })
  return (answer?.['result'] ?? {}) as BookItem
}

/** Level by level, at any depth. */
async function* readDepartments(call: SourceCall, roots: readonly string[]): AsyncGenerator<BookItem> {
  const seen = new Set(roots)
  const waiting = [...roots]
  for (const id of roots) yield await findDepartment(call, id)
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    const body = { dept_id: Number(id) }
    const answer = await call({ step: `department/listsub ${id}`, path: '/topapi/v2/department/listsub', body })
    for (const child of rowsAt(answer, '/result')) {
      const childId = textAtPointer(child, '/dept_id')
      if (seen.has(childId)) continue
      seen.add(childId)
      if (seen.size > MAX_DEPARTMENTS) throw new SourceFault('limited', `${MAX_DEPARTMENTS}`)
      waiting.push(childId)
      yield child
    }
  }
}

async function readIds(call: SourceCall, roots: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for await (const department of readDepartments(call, roots)) ids.add(textAtPointer(department, '/dept_id'))
  return ids
}

/** @throws SourceFault `repeated-page` if the pages of a department don't advance. */
async function* readUsers(call: SourceCall, id: string): AsyncGenerator<BookItem> {
  let cursor = 0
  for (;;) {
    const body = { dept_id: Number(id), cursor, size: PAGE_SIZE }
    const answer = await call({ step: `user/list ${id}`, path: '/topapi/v2/user/list', body })
    yield* rowsAt(answer, '/result/list')
    if (resolvePointer(answer, '/result/has_more') !== true) return
    const next = Number(textAtPointer(answer, '/result/next_cursor'))
    if (!(next > cursor)) throw new SourceFault('repeated-page', `user/list ${id}`)
    cursor = next
  }
}

/** Custom fields are in a JSON string: `extension.学院`. */
function withExtension({ extension, ...user }: BookItem): BookItem {
  if (typeof extension !== 'string') return user
  try {
    return { ...user, extension: JSON.parse(extension) as unknown }
  } catch {
    return user
  }
}
