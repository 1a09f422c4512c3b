import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemContext, transaction } from '../../platform/platform.ts'
import { hold, lockWaits } from '../../testing/lock-waits.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { uniqueFields } from '../account-fields/index.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())

const DOCUMENT_LOCK = '%pg_advisory_xact_lock(%'
/** As somebody writes a person by the field rules. */
const holdWrite = () =>
  hold(
    server.platform.sql,
    (sql) => sql`select pg_advisory_xact_lock_shared(hashtextextended('settings accountFields', 0))`,
    DOCUMENT_LOCK,
  )
const save = (version: number, changes: object) =>
  root.call('/account_field_rules/update/', { body: { version, changes, reset: [] } })

test('a page that is saved during a rollback of the same settings does not deadlock with it', async () => {
  const { sql } = server.platform
  expect((await save(0, { 'phone.required': 'next-login' })).status).toBe(200)
  const [line] = await sql<{ id: string; at: Date }[]>`
    select id, at from audit_records where target_kind = 'settings' and target_id = 'accountFields'`
  const body = { at: line?.at.toISOString(), side: 'before', version: 1, reason: 'Test' }
  const write = await holdWrite()
  const rollingBack = root.call(`/change_history/${line?.id}/roll_back/`, { body })
  await write.reached()
  const saving = save(1, { 'nickname.required': 'next-login' })
  await until(async () => (await lockWaits(sql, DOCUMENT_LOCK)) === 2, 2000)
  await write.release()
  expect([(await rollingBack).status, (await saving).envelope.code]).toEqual([200, 'version.conflict'])
})

test('field rules are not saved while a write of people takes long, and other writes soon go on', async () => {
  const write = await holdWrite()
  const saving = save(2, { 'nickname.required': 'next-login' })
  await write.reached()
  // Queues behind the save, not behind the write.
  await transaction(systemContext(server.platform), uniqueFields)
  expect(await saving).toMatchObject({ status: 503, envelope: { code: 'service.busy' } })
  await write.release()
  expect((await save(2, { 'nickname.required': 'next-login' })).status).toBe(200)
})

test('field rules of the bootstrap file are written only when writes before them are through', async () => {
  const write = await holdWrite()
  const order: string[] = []
  const settings = { accountFields: { custom: [{ kind: 'text', key: 'room', name: 'Room' }] } }
  const applying = applyBootstrap(server.platform, { settings }, { source: 'file', isFile: true }).then(() =>
    order.push('applied'),
  )
  await write.reached()
  order.push('written')
  await write.release()
  await applying
  expect(order).toEqual(['written', 'applied'])
})
