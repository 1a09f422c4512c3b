import { expect, test, vi } from 'vitest'
import type { LogoutDelivery } from '#shared/contract/logout-deliveries.ts'
import type { ManagedLogin } from '#shared/contract/sessions.ts'
import { ticketFor, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn } from '../../testing/people.ts'
import { insertLogin, insertPerson, openPortal, type Portal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { kickOutTask } from './index.ts'

const MANAGE = '/current_login_manage'
const found = async (page: Portal, query: Record<string, string>) =>
  (await page.call<{ records: ManagedLogin[] }>(`${MANAGE}/query/?${new URLSearchParams(query)}`)).data.records
    .map(({ id }) => id)
    .toSorted()
const endAll = async (page: Portal, filters: Record<string, string>) =>
  (await page.call<{ taskId: string }>(`${MANAGE}/kick_out_all/`, { body: { filters } })).data.taskId

test('current logins are found by organisation, range, method, factor, application, remembered and idle', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const dean = await openPortal(server, { account: 'dean', permissions: [] })
  const [{ id: organizationId } = { id: '' }] = await sql<{ id: string }[]>`
    select organization_id as id from appointments where user_id = ${dean.user.userId}`
  const person = await insertPerson(server)
  await sql`update users set organization_id = ${organizationId} where id = ${person}`
  const old = await insertLogin(server, person, { ip: '10.1.2.3', remembered: true })
  await sql`update sso_sessions set auth_type = 'wecom', second_factor = 'totp' where id = ${old}`
  server.advance(90 * 60)
  const admin = await openPortal(server, { account: 'root', isSuperUser: true })
  const fresh = await insertLogin(server, person, { ip: '10.1.9.9' })
  await sql`update sso_sessions set second_factor = null where id = ${fresh}`
  await sql`
    insert into ip_ranges (id, name, kind, networks, updated_at) values
      (gen_random_uuid(), 'Campus', 'campus', '{10.1.0.0/16}', now()),
      (gen_random_uuid(), 'Reading room', 'campus', '{10.1.2.0/24}', now())`
  const library = await addCasApplication(server, { appId: 'library' })
  await addPerson(server, { account: 'visitor' })
  const browser = await logIn(server, 'visitor')
  await validateP3(server, 'https://library.test/', await ticketFor(browser, 'https://library.test/'))
  const [visitor] = await found(admin, { search: 'visitor' })
  const both = [old, fresh].toSorted()
  for (const [query, expected] of [
    [{ userId: person }, both],
    [{ organizationId, search: '' }, both],
    [{ ipRange: 'Campus' }, [fresh]],
    [{ ipRange: 'Reading room' }, [old]],
    [{ ipRange: 'Roof' }, []],
    [{ userId: person, authType: 'third-party' }, [old]],
    [{ userId: person, authType: 'user' }, [fresh]],
    [{ userId: person, factor: 'totp' }, [old]],
    [{ userId: person, factor: 'none' }, [fresh]],
    [{ userId: person, remembered: '1' }, [old]],
    [{ userId: person, idleMinutes: '60' }, [old]],
    [{ applicationId: library }, [visitor]],
  ] as const) {
    const ids = await found(admin, query)
    expect([query, ids.filter((id) => id !== dean.ssoSessionId)]).toEqual([query, expected])
  }
})

test('all logins that a filter finds end in the background, but not the one that asks, and applications are told', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const admin = await openPortal(server, { account: 'root', isSuperUser: true })
  const service = await startService()
  await addCasApplication(server, { appId: 'library', serviceUrls: [`${service.url}**`], url: service.url })
  await addPerson(server, { account: '20260001' })
  const browser = await logIn(server, '20260001')
  await validateP3(server, service.url, await ticketFor(browser, service.url))
  const many = await insertPerson(server)
  for (let n = 0; n < 450; n++) await insertLogin(server, many)
  const stays = await insertLogin(server, many, { onCampus: true })
  const taskId = await endAll(admin, { onCampus: '0' })
  await runTasks(server, [kickOutTask])
  expect(await taskEnd(server, taskId)).toMatchObject({ state: 'done', total: 451, done: 451, result: { ended: 451 } })
  expect(await found(admin, {})).toEqual([admin.ssoSessionId, stays].toSorted())
  const [lines] = await sql`
    select count(*)::int as lines, count(distinct target_id)::int as logins from audit_records where action = 'session.kick-out'`
  expect(lines).toEqual({ lines: 451, logins: 451 })
  const deliveries = async () =>
    (await admin.call<LogoutDelivery[]>(`${MANAGE}/task_deliveries/?taskId=${taskId}`)).data
  await vi.waitFor(async () => expect(await deliveries()).toMatchObject([{ delivered: 1, failed: 0 }]), {
    timeout: 30_000,
    interval: 50,
  })
})

test('all logins of a person end at once; a former super user can no longer end anybody’s', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { account: 'root', isSuperUser: true })
  const person = await insertPerson(server)
  const other = await insertLogin(server, await insertPerson(server))
  for (let n = 0; n < 3; n++) await insertLogin(server, person)
  const runner = await runTasks(server, [kickOutTask])
  expect(await taskEnd(server, await endAll(admin, { userId: person }))).toMatchObject({ result: { ended: 3 } })
  expect(await found(admin, {})).toEqual([admin.ssoSessionId, other].toSorted())
  await runner.stop()
  const refused = await endAll(admin, {})
  await server.platform.sql`update users set is_super_user = false where id = ${admin.user.userId}`
  await runTasks(server, [kickOutTask])
  expect(await taskEnd(server, refused)).toMatchObject({ state: 'failed', error: 'permission.denied' })
  const root = await openPortal(server, { isSuperUser: true })
  expect(await found(root, {})).toContain(other)
})
