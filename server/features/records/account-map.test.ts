import { expect, test } from 'vitest'
import type { MaintenanceRecord } from '#shared/contract/records.ts'
import { addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { addClient, authorize } from '../../testing/relying-party.ts'
import { testServer } from '../../testing/server.ts'
import { createAdministrator } from '../setup/index.ts'

const maintenance = async (page: Portal): Promise<MaintenanceRecord[]> =>
  (await page.call<{ records: MaintenanceRecord[] }>('/certification_record/account_maintenance/?sort=maintenanceTime'))
    .data.records

test('what the bootstrap file creates and changes is in the records of the person, contacts masked', async () => {
  const server = await testServer()
  const userId = await addPerson(server, { account: 'lilei', phone: '13800000001' })
  await addPerson(server, { account: 'lilei' })
  await addPerson(server, { account: 'lilei', phone: '13900000002', mailbox: 'lilei@example.edu' })
  await addPerson(server, { account: 'hanmei', phone: '13700000003' })
  const lines = await maintenance(await openPortal(server, { userId }))
  expect(lines.map(({ action, by, changes }) => [action, by, changes])).toEqual([
    ['account.create', 'system', [{ field: 'account', before: null, after: 'lilei' }]],
    [
      'account.update',
      'system',
      [
        { field: 'mailbox', before: null, after: 'l***@example.edu' },
        { field: 'phone', before: '138****0001', after: '139****0002' },
      ],
    ],
  ])
  const [{ text } = { text: '' }] = await server.platform.sql<{ text: string }[]>`
    select string_agg(to_jsonb(r)::text, '') as text from audit_records r`
  expect(text).not.toMatch(/13800000001|13900000002|lilei@/)
})

test('a consent, given and withdrawn, is in the person’s records', async () => {
  const server = await testServer()
  const userId = await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'survey', name: 'Survey', consent: 'explicit' })
  const browser = await logIn(server, 'lilei')
  const asked = await authorize(browser, client, { scope: 'openid profile' })
  await browser.post(new URL(asked.location).pathname, { answer: 'allow' })
  const page = await openPortal(server, { userId })
  await page.call('/consents/withdraw/', { body: { appId: 'survey' } })
  const lines = (await maintenance(page)).filter(({ action }) => action.startsWith('consent.'))
  expect(lines.map(({ action, by }) => [action, by])).toEqual([
    ['consent.give', 'self'],
    ['consent.withdraw', 'self'],
  ])
  expect(lines[0]?.changes).toContainEqual({ field: 'application', before: null, after: 'Survey' })
})

test('a password changed by oneself and one reset from the command line are distinguished', async () => {
  const server = await testServer()
  const userId = await addPerson(server, { account: 'lilei' })
  const page = await openPortal(server, { userId })
  const body = { oldPassword: PASSWORD, newPassword: 'Battery-staple-7' }
  const changed = await page.call<{ token: string }>(`/user_information/${userId}/update_password/`, { body })
  expect(changed.status).toBe(200)
  const client = { requestId: '', ip: '', userAgent: '', language: 'en' as const }
  await createAdministrator({ ...server.platform, db: server.platform.sql, client, caller: null }, 'lilei')
  await server.platform.sql`update users set must_change_password = false`
  const lines = await maintenance(await openPortal(server, { userId }))
  expect(lines.map(({ action, by }) => [action, by])).toEqual([
    ['account.create', 'system'],
    ['password.change', 'self'],
    ['administrator.restore', 'system'],
  ])
})
