import { expect, test } from 'vitest'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

test.each(['2026-02-31T00:00:00.000000Z', '2026-04-31T10:00:00.000000Z', '0000-01-01T00:00:00.000000Z'])(
  'continuing a search from an impossible moment (%s) is rejected as the caller’s mistake',
  async (after) => {
    const root = await openPortal(await testServer(), { isSuperUser: true })
    for (const log of ['login_log', 'app_visit_log']) {
      expect((await root.call(`/${log}/query/?after=${after}`)).status).toBe(400)
      const key = `${after}_01a20a08-e642-713d-afb0-d39bac681821`
      expect((await root.call(`/${log}/details/?key=${key}`)).status).toBe(400)
    }
  },
)

test('from any other moment it continues, however far away', async () => {
  const root = await openPortal(await testServer(), { isSuperUser: true })
  for (const after of ['1900-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'])
    expect((await root.call(`/login_log/query/?after=${after}`)).status).toBe(200)
})
