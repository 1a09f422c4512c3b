import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApplicationCategory } from '#shared/contract/application-categories.ts'
import type { Change } from '#shared/contract/change-history.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  page = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterAll(() => server.close())

const create = async (code: string, parentId: string | null = null) =>
  (await page.call<{ id: string }>('/application_category/create/', { body: { code, name: code, parentId } })).data.id
const update = (id: string, body: object) => page.call(`/application_category/${id}/update/`, { body })
const categoryOf = async (id: string) =>
  (await page.call<{ records: ApplicationCategory[] }>('/application_category/query/')).data.records.find(
    (one) => one.id === id,
  )
const latest = async (id: string): Promise<Change> => {
  const path = `/change_history/query/?targetKind=application-category&targetId=${id}`
  const [line] = (await page.call<{ records: Change[] }>(path)).data.records
  if (!line) throw new Error('no line')
  return line
}
type Preview = { current: object; wanted: object; version: number; missing: object[] }
const preview = ({ id, at }: Change) =>
  page.call<Preview>(`/change_history/${id}/roll_back/?side=before&at=${encodeURIComponent(at)}`)
const rollBack = ({ id, at }: Change, version: number) =>
  page.call(`/change_history/${id}/roll_back/`, { body: { at, side: 'before', version, reason: 'Was better' } })

test('a category of applications is rolled back to its former name, place and order', async () => {
  const study = await create('study')
  const exams = await create('exams', study)
  await update(exams, { name: 'Tests', names: { zh_CN: '考试' }, parentId: null, position: 7 })
  const change = await latest(exams)
  const { data } = await preview(change)
  expect(data).toMatchObject({
    current: { code: 'exams', name: 'Tests', parentId: null, position: 7 },
    wanted: { code: 'exams', name: 'exams', names: {}, parentId: study, position: 0 },
    version: 2,
    missing: [],
  })
  expect((await rollBack(change, data.version)).data).toEqual({ changed: true })
  expect(await categoryOf(exams)).toMatchObject({ name: 'exams', names: {}, parentId: study, position: 0 })
  expect(await latest(exams)).toMatchObject({ action: 'change.roll-back', restorable: { before: true, after: true } })
  const late = await rollBack(change, data.version)
  expect([late.status, late.envelope.code]).toEqual([409, 'version.conflict'])
})

test('a category that a bootstrap file has changed since the preview is not rolled back', async () => {
  const id = await create('filed-anew')
  await update(id, { name: 'Changed' })
  const change = await latest(id)
  const { version } = (await preview(change)).data
  await applyBootstrap(
    server.platform,
    { applicationCategories: [{ code: 'filed-anew', name: 'By the file' }] },
    { source: 'test' },
  )
  const late = await rollBack(change, version)
  expect([late.status, late.envelope.code]).toEqual([409, 'version.conflict'])
  expect(await categoryOf(id)).toMatchObject({ name: 'By the file' })
})

test('a deleted former parent is reported and left out; one that can no longer be a parent is rejected', async () => {
  const old = await create('old')
  const part = await create('part', old)
  await update(part, { name: 'Part', parentId: null })
  const change = await latest(part)
  const top = await create('top')
  await update(old, { name: 'Old', parentId: top })
  const refused = await rollBack(change, 2)
  expect([refused.status, refused.envelope.code]).toEqual([409, 'application-category.cycle'])
  await page.call(`/application_category/${old}/delete/`, { body: {} })
  expect((await preview(change)).data.missing).toEqual([{ field: 'parentId', value: old }])
  expect((await rollBack(change, 2)).data).toEqual({ changed: true })
  expect(await categoryOf(part)).toMatchObject({ name: 'part', parentId: null })
  await page.call(`/application_category/${part}/delete/`, { body: {} })
  const gone = await rollBack(change, 3)
  expect([gone.status, gone.envelope.code]).toEqual([409, 'change.target-gone'])
})

test('changes of a category by the bootstrap file can be rolled back too', async () => {
  const place = await create('place')
  const filed = await create('filed', place)
  await applyBootstrap(
    server.platform,
    { applicationCategories: [{ code: 'filed', name: 'By file' }] },
    { source: 'file' },
  )
  expect((await rollBack(await latest(filed), (await preview(await latest(filed))).data.version)).status).toBe(200)
  expect(await categoryOf(filed)).toMatchObject({ name: 'filed', parentId: place })
})
