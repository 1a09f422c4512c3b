import { expect, test } from 'vitest'
import type { Db } from '../../platform/db.ts'
import { BY_NUMBER } from '../../testing/mailboxes.ts'
import { addPerson } from '../../testing/people.ts'
import { testServer } from '../../testing/server.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { allAddresses, findAddresses } from './addresses.store.ts'

test('the addresses of many people are found by two statements, and a shared one belongs to nobody', async () => {
  const server = await testServer()
  const { sql } = server.platform
  const userCategories = [{ code: 'faculty', name: 'Faculty' }]
  await applyBootstrap(server.platform, { userCategories }, { source: 'test' })
  const ids: string[] = []
  for (let at = 0; at < 5; at += 1) ids.push(await addPerson(server, { account: `N${at}`, category: null }))
  const recorded = await addPerson(server, { account: 'T1', category: 'faculty', mailbox: 'n1@example.edu' })
  const rules = [{ ...BY_NUMBER, categories: ['faculty'], from: 'recorded' as const }, BY_NUMBER]
  let statements = 0
  const counting = new Proxy(sql, {
    apply(target, self, [text, ...values]) {
      if (String(text).trim().startsWith('select')) statements += 1
      return Reflect.apply(target as never, self, [text, ...values])
    },
  }) as Db
  const found = await findAddresses(counting, rules, [...ids, recorded])
  expect(statements).toBe(2)
  const everybody = await allAddresses(sql, rules)
  expect(found).toEqual(new Map([...everybody].filter(([id]) => found.has(id))))
  expect([found.size, found.get(ids[0] ?? '')?.address]).toEqual([6, 'n0@example.edu'])
  expect(found.get(ids[1] ?? '')).toEqual({ address: null, problem: 'shared' })
  expect(found.get(recorded)).toEqual({ address: null, problem: 'shared' })
})
