import { expect, test } from 'vitest'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

const NIGHT = '10000000-0000-4000-8000-000000000001'
const BLOCKED = '10000000-0000-4000-8000-000000000002'
const night = { rule: NIGHT, name: 'Night', outcome: 'second-factor', mode: 'report' }
const blocked = { rule: BLOCKED, name: 'Blocked', outcome: 'refuse', mode: 'on' }

test('each rule is counted over the last seven days, by what it did and what it would have done', async () => {
  const server = await testServer()
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const { sql, now } = server.platform
  const login = async (days: number, said: object[]) => {
    const at = new Date(now().getTime() - days * 86_400_000)
    await sql`
      insert into login_records (id, at, account, auth_type, succeeded, ip, user_agent, browser, device, client_type,
        on_campus, request_id, rule_outcomes)
      values (${crypto.randomUUID()}, ${at}, 'x', 'user', true, '198.51.100.7', '', '', '', 'pc', false, '',
        ${JSON.stringify(said)}::text::jsonb)`
  }
  await login(1, [blocked, night])
  await login(2, [blocked])
  await login(20, [blocked])
  const { data } = await root.call<{ rules: { rule: string }[]; isComplete: boolean }>('/access_rule/counts/')
  expect(data.isComplete).toBe(true)
  expect(data.rules.toSorted((a, b) => a.rule.localeCompare(b.rule))).toEqual([
    { rule: NIGHT, did: 0, would: 1 },
    { rule: BLOCKED, did: 2, would: 0 },
  ])
})
