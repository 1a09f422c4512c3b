import { expect, test } from 'vitest'
import { HOUR_MS } from '#shared/rules/durations.ts'
import { runAdminCommand } from '../../testing/admin-command.ts'
import { insertPerson } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { testServer } from '../../testing/server.ts'
import { sealRecords } from './index.ts'

test('the command claims no more than was sealed, and fails when a sealed record was changed', async () => {
  const server = await testServer()
  const verify = () => {
    const { status, stdout, stderr } = runAdminCommand(server, 'verify-records')
    return { status, told: stdout + stderr }
  }
  const at = new Date(server.platform.now().getTime() - 5 * HOUR_MS)
  const id = await insertLoginRecord(server, await insertPerson(server), { at })
  const unsealed = verify()
  expect(unsealed).toMatchObject({ status: 0 })
  expect(unsealed.told).toContain('Nothing is sealed, so nothing could be verified.')
  expect(unsealed.told).not.toContain('as they were written')

  await sealRecords(server.platform)
  expect(verify()).toMatchObject({
    status: 0,
    told: expect.stringContaining('The sealed records are as they were written.'),
  })
  await server.platform.sql`update login_records set ip = '10.9.9.9' where id = ${id}`
  expect(verify()).toMatchObject({ status: 1, told: expect.stringContaining('changed: at least one of 1 lines') })
})
