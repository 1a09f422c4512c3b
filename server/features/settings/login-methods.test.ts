import { expect, test } from 'vitest'
import { hold, lockWaits } from '../../testing/lock-waits.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'
import { onlyLoginNames } from '../../testing/sign-in.ts'

test('login methods and login names that are saved at the same time don’t lock out together', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  const { sql } = server.platform
  const userId = await addPerson(server, { account: 'root', isSuperUser: true, phone: '13800006655' })
  const page = await openPortal(server, { userId })
  // Both are judged while neither is committed.
  const records = await hold(sql, (held) => held`lock table audit_records in exclusive mode`, '%audit_records%')
  const methods = page.call('/login_config/update/', { body: { version: 0, changes: { loginTypes: ['user'] } } })
  await records.reached()
  const names = page.call('/account_field_rules/update/', { body: { version: 0, changes: onlyLoginNames('alias') } })
  await until(async () => (await lockWaits(sql)) === 2, 20_000)
  await records.release()
  expect((await methods).envelope.code ?? '').toBe('')
  expect((await names).envelope.code).toBe('policy.locks-out')
})
