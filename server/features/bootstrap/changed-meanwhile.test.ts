import { expect, test } from 'vitest'
import { uploadFile } from '../../testing/data-sources.ts'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'
import { hold } from '../../testing/lock-waits.ts'
import { applyBootstrap } from './index.ts'

const syncs = new SyncWorld()

test('what a sync writes after the plan was made is not overwritten: the plan is made again', async () => {
  const { sql, server } = syncs
  const account = syncs.account(0)
  const sync = await syncs.newSync({ mapping: [...SYNC_MAPPING, { column: 'mailbox', field: 'mailbox' }] })
  const apply = (more: object = {}, userCategories: { code: string; name: string }[] = []) => {
    const user = { account, name: 'By file', mailbox: `${account}@file.example`, ...more }
    return applyBootstrap(server.platform, { userCategories, users: [user] }, { source: 'a test' })
  }
  await apply()
  const writing = await hold(sql, (held) => held`lock table user_categories in share mode`, '%user_categories%')
  const applied = apply({ gender: 'female', alias: `${account}-alias` }, [{ code: account, name: 'New' }])
  await writing.reached()
  const given = `${account}@hr.example`
  await uploadFile(syncs.root, sync.sourceId, `no,account,name,mailbox\nK1,${account},By source,${given}\n`)
  expect(await syncs.approve(await syncs.run(sync))).toMatchObject({ state: 'done', counts: { changed: 1 } })
  await writing.release()
  expect(await applied).toEqual({ created: 1, updated: 1, unchanged: 0 })
  const [person] = await sql`
    select name, gender, mailbox, alias, array(select canonical from login_names where user_id = u.id order by 1) as names
    from users u where account = ${account}`
  const alias = `${account}-alias`
  expect(person).toEqual({ name: 'By source', gender: 'female', mailbox: given, alias, names: [account, alias, given] })
})

test('a person who changes after the plan was made keeps what the file does not say', async () => {
  const { sql, server } = syncs
  const account = syncs.account(0)
  const apply = (more: object, userCategories: { code: string; name: string }[] = []) => {
    const users = [{ account, name: 'By file', ...more }]
    return applyBootstrap(server.platform, { userCategories, users }, { source: 'a test' })
  }
  await apply({})
  const writing = await hold(sql, (held) => held`lock table user_categories in share mode`, '%user_categories%')
  const applied = apply({ gender: 'female' }, [{ code: account, name: 'New' }])
  await writing.reached()
  const person = (await syncs.people()).find((one) => one.account === account)
  const { data } = await syncs.root.call<{ version: number }>(`/user_information/${person?.id}/full_details/`)
  const body = { version: data.version, nickname: 'By hand' }
  expect((await syncs.root.call(`/user_information/${person?.id}/update/`, { body })).envelope.state).toBe(200)
  await writing.release()
  await applied
  const rows = await sql`select gender, nickname from users where account = ${account}`
  expect(rows).toEqual([{ gender: 'female', nickname: 'By hand' }])
})
