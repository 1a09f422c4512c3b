import { expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import { replaceFileKeys } from '../../platform/settings.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { applyBootstrap } from './index.ts'

const MAIL = { host: 'smtp.school.test', port: 587, security: 'starttls', from: 'portal@school.test' } as const

/** As a start with this file does it. */
const start = (server: TestServer, settings: Record<string, unknown>) =>
  applyBootstrap(server.platform, { settings }, { source: 'file', isFile: true })

const stored = async (server: TestServer, name: string) =>
  (
    await server.platform.sql<{ value: object; keys: string[] }[]>`
      select value, file_keys as keys from settings where name = ${name}`
  )[0]

const saveMail = async (page: Portal, gateway: object | null) => {
  const { data } = await page.call<{ mail: { version: number } }>('/message_gateways/query/')
  return await page.call('/message_gateways/save_mail/', { body: { version: data.mail.version, gateway } })
}

test('a gateway of the bootstrap file is shown as such and can not be changed, until it leaves the file', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const isSetByFile = async () =>
    (await page.call<{ mail: { isSetByFile: boolean } }>('/message_gateways/query/')).data.mail.isSetByFile
  await start(server, { mail: MAIL })
  expect(await isSetByFile()).toBe(true)
  for (const gateway of [{ ...MAIL, host: 'other.test' }, null]) {
    const refused = await saveMail(page, gateway)
    expect(refused).toMatchObject({ status: 409, envelope: { code: 'settings.set-by-file' } })
    expect(refused.envelope.message).toContain('“mail”')
  }
  await start(server, {})
  expect(await isSetByFile()).toBe(false)
  expect((await saveMail(page, { ...MAIL, from: 'office@school.test' })).status).toBe(200)
  await start(server, { login: { lockMinutes: 20 } })
  expect((await page.call<{ mail: { gateway: object } }>('/message_gateways/query/')).data.mail.gateway).toMatchObject({
    from: 'office@school.test',
  })
})

test('a rollback leaves what the file sets unchanged and says so', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  await start(server, { login: { lockMinutes: 20, captchaAfterFailures: 4 } })
  await start(server, { login: { lockMinutes: 30, captchaAfterFailures: 5 } })
  await start(server, { login: { lockMinutes: 30 } })
  expect(await stored(server, 'login')).toEqual({
    value: { lockMinutes: 30, captchaAfterFailures: 5 },
    keys: ['lockMinutes'],
  })
  const { records } = (await page.call<{ records: Change[] }>('/change_history/query/?targetKind=settings')).data
  const [last] = records
  if (!last) throw new Error('no line')
  const place = `/change_history/${last.id}/roll_back/`
  const { data } = await page.call<{ missing: object[]; version: number }>(
    `${place}?at=${encodeURIComponent(last.at)}&side=before`,
  )
  expect(data.missing).toEqual([{ field: 'lockMinutes', value: '30', isSetByFile: true }])
  const body = { at: last.at, side: 'before', version: data.version, reason: 'Went wrong' }
  expect((await page.call(place, { body })).data).toEqual({ changed: true })
  expect((await stored(server, 'login'))?.value).toEqual({ lockMinutes: 30, captchaAfterFailures: 4 })
})

test('applying the same file again writes nothing, and a start without a file makes every key editable', async () => {
  const server = await testServer()
  await start(server, { login: { lockMinutes: 20 }, gateway: {} })
  const before = await server.platform.sql`select xmin, * from settings order by name`
  await start(server, { login: { lockMinutes: 20 }, gateway: {} })
  expect(await server.platform.sql`select xmin, * from settings order by name`).toEqual(before)
  await applyBootstrap(server.platform, { settings: { login: { lockMinutes: 20 } } }, { source: 'setup' })
  expect((await stored(server, 'login'))?.keys).toEqual(['lockMinutes'])
  await replaceFileKeys(server.platform.sql, {})
  expect(await stored(server, 'login')).toEqual({ value: { lockMinutes: 20 }, keys: [] })
})

test('a file that would delete people’s values of a custom field is rejected, and says how to keep them', async () => {
  const server = await testServer()
  const desk = { key: 'desk', kind: 'text', name: 'Desk' }
  const grant = { key: 'grantKind', kind: 'choice', name: 'Grant', choices: [{ code: 'full', name: 'Full' }] }
  await start(server, { accountFields: { custom: [desk, grant] } })
  const id = await addPerson(server, { account: 'ann' })
  await server.platform.sql`
    update users set custom_values = '{"desk": "7", "grantKind": "full"}' where id = ${id}`
  const refusal = (...custom: object[]) => start(server, { accountFields: { custom } }).catch((error) => String(error))
  expect(await refusal(grant)).toMatch(/custom.desk: .*isRemoved/)
  expect(await refusal({ ...desk, kind: 'date' }, grant)).toContain('another kind')
  const other = { ...grant, choices: [{ code: 'half', name: 'Half' }] }
  expect(await refusal(desk, other)).toContain('isOffered')
  await start(server, { accountFields: { custom: [{ ...desk, isRemoved: true }, grant] } })
})
