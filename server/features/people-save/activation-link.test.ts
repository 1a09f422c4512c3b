import { expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import { createBrowser } from '../../testing/browser.ts'
import { callAs, openPortal } from '../../testing/portal.ts'
import { PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

type Created = { id: string; activation: { code: string; expiresAt: string } | null }

test('creating an activation link with an account is recorded: who, until when, never the code', async () => {
  const server = await testServer()
  const { organizationId } = await school(server)
  const root = await openPortal(server, { account: 'root', isSuperUser: true })
  const create = (account: string, activate: boolean) => {
    const body = { account, name: 'New', gender: 'unknown', organizationId: organizationId('cs'), activate }
    return root.call<Created>(`${PEOPLE}/create/`, { body })
  }
  const { data: created } = await create('fresh-1', true)
  const { data: plain } = await create('fresh-2', false)
  const actionsOf = async (id: string) => {
    const { data } = await root.call<{ records: Change[] }>(`/change_history/person/${id}/`)
    return data.records.map(({ action, actor, after }) => [action, actor?.account, after?.['validUntil']])
  }
  const { code, expiresAt } = created.activation ?? { code: 'none', expiresAt: '' }
  expect(await actionsOf(created.id)).toEqual([
    ['activation-code.issue', 'root', expiresAt],
    ['account.create', 'root', undefined],
  ])
  expect(await actionsOf(plain.id)).toEqual([['account.create', 'root', undefined]])
  const [records] = await server.platform.sql`select string_agg(to_jsonb(a)::text, '') as text from audit_records a`
  expect(records?.['text']).not.toContain(code)
  const opened = await callAs<{ account: string }>(server, createBrowser(server), '/activate/code/', { body: { code } })
  expect(opened.data.account).toBe('fresh-1')
})
