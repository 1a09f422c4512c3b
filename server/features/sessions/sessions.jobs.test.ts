import { expect, test } from 'vitest'
import { insertLogin, insertPerson, openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { endSessionsOfBlockedUsers, endStaleSessions, purgeSessions } from './index.ts'

test('expired sessions are marked as ended, with the logout time in their record; others are left alone', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const userId = await insertPerson(server)
  const idle = await insertLogin(server, userId)
  const remembered = await insertLogin(server, userId, { remembered: true })
  await sql`
    insert into login_records (id, at, user_id, account, auth_type, succeeded, ip, user_agent, browser, device, client_type,
      on_campus, sso_session_id, request_id)
    select id, opened_at, user_id, 'x', 'user', true, ip, '', '', '', 'pc', false, id, '' from sso_sessions`
  server.advance(125 * 60)
  const fresh = await insertLogin(server, userId)
  await endStaleSessions(server.platform)
  const ended = await sql`select id, end_reason from sso_sessions where ended_at is not null`
  expect(ended).toEqual([{ id: idle, endReason: 'expired' }])
  expect(await sql`select id from login_records where logout_at is not null`).toEqual([{ id: idle }])
  server.advance(7 * 3600)
  await endStaleSessions(server.platform)
  const ids = await sql`select id from sso_sessions where ended_at is not null order by id`
  expect(ids.map(({ id }) => id)).toEqual([idle, remembered, fresh].toSorted())
})

test('an idle, closed portal page ends its sign-on session; one without the portal continues', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const applicationsOnly = await insertLogin(server, await insertPerson(server))
  server.advance(32 * 60)
  await endStaleSessions(server.platform)
  const ended = await server.platform.sql`select id from sso_sessions where ended_at is not null`
  expect(ended).toEqual([{ id: page.ssoSessionId }])
  expect(ended).not.toContainEqual({ id: applicationsOnly })
})

test('more than one batch is processed', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const id = await insertLogin(server, await insertPerson(server))
  await sql`
    insert into sso_sessions (id, secret_hash, user_id, auth_type, authenticated_at, opened_at, last_seen_at, expires_at, ip,
      user_agent, browser, device, client_type, on_campus)
    select gen_random_uuid(), sha256(n::text::bytea), user_id, auth_type, authenticated_at, opened_at, last_seen_at, expires_at,
      ip, '', '', '', 'other', false
    from sso_sessions, generate_series(1, 1100) n where id = ${id}`
  server.advance(9 * 3600)
  await endStaleSessions(server.platform)
  expect(await sql`select from sso_sessions where ended_at is null`).toHaveLength(0)
  server.advance(31 * 24 * 3600)
  await purgeSessions(server.platform)
  expect(await sql`select from sso_sessions`).toHaveLength(0)
})

test('sessions are forgotten thirty days after their end, not before', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  server.advance(9 * 3600)
  await endStaleSessions(server.platform)
  server.advance(29 * 24 * 3600)
  await purgeSessions(server.platform)
  expect(await server.platform.sql`select id from sso_sessions`).toEqual([{ id: page.ssoSessionId }])
  server.advance(2 * 24 * 3600)
  await purgeSessions(server.platform)
  expect(await server.platform.sql`select from sso_sessions`).toHaveLength(0)
})

test('a person who is disabled, frozen or locked in any way loses open sessions, and the applications are told', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const people = await Promise.all(Array.from({ length: 5 }, () => insertPerson(server)))
  const [disabled, frozen, locked, thawed, other] = people as [string, string, string, string, string]
  const sessions = new Map<string, string>()
  for (const person of people) sessions.set(person, await insertLogin(server, person))
  const [application] = await sql<{ id: string }[]>`select id from applications limit 1`
  await sql`update applications set single_logout = 'back-channel'`
  await sql`
    insert into session_services (id, sso_session_id, application_id, service_url, service, ticket_hash, fresh, proxies, ticket,
      issued_at, expires_at, used_at)
    select gen_random_uuid(), id, ${application?.id ?? ''}, 'http://127.0.0.1:9/', 'http://127.0.0.1:9/', sha256(id::text::bytea),
      true, '{}', 'ST-used', opened_at, opened_at, opened_at
    from sso_sessions`
  const now = server.platform.now()
  await sql`update users set enabled = false where id = ${disabled}`
  await sql`update users set frozen_from = ${now} where id = ${frozen}`
  await sql`update users set locked_at = ${now} where id = ${locked}`
  await sql`update users set frozen_from = ${new Date(now.getTime() - 5000)}, frozen_until = ${now} where id = ${thawed}`
  await endSessionsOfBlockedUsers(server.platform)
  const open = await sql<{ userId: string }[]>`select user_id from sso_sessions where ended_at is null`
  expect(open.map(({ userId }) => userId).toSorted()).toEqual([thawed, other].toSorted())
  const told = await sql<{ userId: string }[]>`select user_id from logout_deliveries`
  expect(told.map(({ userId }) => userId).toSorted()).toEqual([disabled, frozen, locked].toSorted())
})
