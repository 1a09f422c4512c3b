import { expect, test } from 'vitest'
import type { UserDetails } from '#shared/contract/users.ts'
import { uploadFile } from '../../testing/data-sources.ts'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'
import { applyBootstrap } from './index.ts'

const syncs = new SyncWorld()

const details = async (account: string) => {
  const { id = '' } = (await syncs.people()).find((one) => one.account === account) ?? {}
  return (await syncs.root.call<UserDetails>(`/user_information/${id}/full_details/`)).data
}

/** A sync that fills these columns too, applied to one person. */
async function syncPerson(columns: readonly string[], [account, ...values]: readonly string[]) {
  const fields = columns.map((column) => ({ column, field: column }))
  const sync = await syncs.newSync({ mapping: [...SYNC_MAPPING, ...fields] })
  const lines = [
    ['no', 'account', 'name', ...columns],
    ['H0', account, ...values],
  ].map((line) => line.join())
  await uploadFile(syncs.root, sync.sourceId, `${lines.join('\n')}\n`)
  await syncs.approve(await syncs.run(sync))
  return sync
}

test('the bootstrap file leaves what a source owns of a person as it is', async () => {
  const word = syncs.account(0)
  const userCategories = ['s', 't'].map((code) => ({ code: word + code, name: word + code }))
  const user = {
    account: word,
    name: 'By file',
    category: `${word}t`,
    mailbox: `${word}@file.example`,
    nickname: 'File',
  }
  const apply = (more: { gender?: 'female'; mailbox?: string; category?: string } = {}) =>
    applyBootstrap(syncs.server.platform, { userCategories, users: [{ ...user, ...more }] }, { source: 'a test' })
  const written = async () => {
    const { name, category, mailbox, nickname, gender } = await details(word)
    return [name, category?.name, mailbox, nickname, gender]
  }
  await apply()
  expect(await written()).toEqual(['By file', `${word}t`, `${word}@file.example`, 'File', 'unknown'])
  const values = ['Person', `${word}s`, `${word}@hr.example`, 'Nick']
  const sync = await syncPerson(['category', 'mailbox', 'nickname'], [word, ...values])
  expect(await written()).toEqual([...values, 'unknown'])
  // What nobody owns is the file's. What is left out is checked: it counts as soon as the source has lost the person.
  await expect(apply({ mailbox: 'no address' })).rejects.toThrow('users[0].mailbox: expected a mail address')
  await expect(apply({ category: `${word}u` })).rejects.toThrow('users[0].category: no user category with the code')
  await apply({ gender: 'female' })
  expect(await written()).toEqual([...values, 'female'])
  const { id, version } = await details(word)
  await apply()
  expect((await details(word)).version).toBe(version)
  expect(await syncs.run(sync)).toMatchObject({ counts: { unchanged: 1 } })
  await syncs.sql`delete from directory_links where user_id = ${id}`
  await apply()
  expect((await written()).slice(0, 4)).toEqual(['By file', `${word}t`, `${word}@file.example`, 'File'])
})

test('a login name that a source gave to one person and the file to another is said to belong to the first', async () => {
  const [account, other] = [syncs.account(0), syncs.account(1)]
  const given = `${account}@hr.example`
  await syncPerson(['mailbox'], [account, 'Person', given])
  const own = { account, name: 'By file', mailbox: `${account}@file.example` }
  const taker = { account: other, name: 'By file', mailbox: given }
  const problems = (users: (typeof own & { alias?: string })[]) =>
    applyBootstrap(syncs.server.platform, { users }, { source: 'a test' }).then(
      () => [],
      (error: { problems: object[] }) => error.problems,
    )
  const message = `the login name already belongs to the account "${account}"`
  expect(await problems([own, taker])).toEqual([{ path: 'users[1].mailbox', message }])
  // Also if other login names of theirs change.
  const renamed = { ...own, alias: `${account}-alias` }
  expect(await problems([renamed, taker])).toEqual([{ path: 'users[1].mailbox', message }])
  expect(await problems([taker, renamed])).toEqual([{ path: 'users[0].mailbox', message }])
  // What the file gives to both is refused before the source loses the first.
  expect(await problems([own, { ...taker, mailbox: own.mailbox }])).toEqual([
    { path: 'users[1].mailbox', message: 'the login name is already that of users[0]' },
  ])
})
