import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { SyncRun } from '#shared/contract/directory-syncs.ts'
import type { SyncRow } from '#shared/contract/sync-runs.ts'
import { systemContext, transaction } from '../../platform/platform.ts'
import { SyncWorld } from '../../testing/directory-syncs.ts'
import { messagesTo } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { notifyResponsible } from '../sync-runs/index.ts'

const syncs = new SyncWorld({ env: { DEMO: '1' } })
const ROOMY = { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 }

const newDepartment = async (code: string, name: string) => {
  await syncs.root.call('/organization/create/', { body: { code, name, parentId: null } })
}

/** What the list of a run shows of its changed rows, by key. */
async function shownChanges({ id }: SyncRun) {
  const { rows } = await syncs.details(id)
  const changed = rows.filter(({ changes }) => changes.length > 0)
  return Object.fromEntries(
    changed.map(({ externalId, changes }) => [
      externalId,
      Object.fromEntries(changes.map(({ field, values }) => [field, values])),
    ]),
  )
}

test('a plan shows each changed field of a person before and after: references by name, contacts masked, ID numbers never', async () => {
  const [one, gone] = [syncs.account(1), syncs.account(2)]
  for (const name of ['Physics', 'Optics']) await newDepartment(syncs.named(name).replace(' ', '-'), syncs.named(name))
  const [physics, optics] = ['Physics', 'Optics'].map((name) => syncs.named(name))
  const mapping = ['account', 'name', 'gender', 'phone', 'organization', 'idNumber', 'validUntil'].map((field) => ({
    column: field,
    field,
  }))
  const sync = await syncs.newSync({
    ...{ mapping, thresholds: ROOMY },
    leavers: { action: 'disable', runs: 1, days: 0 },
  })
  const csv = (...rows: string[]) => `no,${mapping.map(({ column }) => column).join()}\n${rows.join('\n')}\n`
  const leaver = `K2,${gone},Two,,,${physics},,`
  await syncs.giveText(sync, csv(`K1,${one},One,male,13800138000,${physics},11010519491231002X,2099-01-01`, leaver))
  const first = await syncs.run(sync)
  expect(await shownChanges(first)).toEqual({})
  await syncs.approve(first)
  await syncs.giveText(sync, csv(`K1,${one},Uno,female,13900139000,${optics},110105194912310038,2100-02-03`))
  const plan = await syncs.run(sync, true)
  const changes = {
    K1: {
      name: { before: 'One', after: 'Uno' },
      gender: { before: 'Male', after: 'Female' },
      phone: { before: expect.stringMatching(/^\+?[\d ]*138\*+/), after: expect.stringMatching(/^\+?[\d ]*139\*+/) },
      organizationId: { before: physics, after: optics },
      idNumber: null,
      validUntil: { before: '2099-01-01', after: '2100-02-03' },
    },
    K2: { enabled: { before: 'Yes', after: 'No' } },
  }
  expect(await shownChanges(plan)).toEqual(changes)
  // What was done stays to be seen, whatever they are like afterwards.
  const done = await syncs.approve(plan)
  expect(await shownChanges(done)).toEqual(changes)
  expect(await shownChanges(await syncs.undo(done))).toEqual(changes)
})

test('a plan shows what changes about departments: name, attribute, parent and position', async () => {
  const word = syncs.account(0)
  await syncs.sql`insert into organization_attributes (id, code, name) values (${v7()}, ${`A${word}`}, 'Faculty')`
  const mapping = ['code', 'name', 'attribute', 'order'].map((field) => ({ column: field, field }))
  const departments = { keyColumn: 'code', parentColumn: 'parent', mapping }
  const sync = await syncs.newSync({
    ...{ objects: 'departments', departments, keyColumn: '', mapping: [], thresholds: ROOMY },
  })
  const give = (...rows: string[]) => syncs.giveText(sync, `code,parent,name,attribute,order\n${rows.join('\n')}\n`)
  await give(`${word}a,,School,,`, `${word}b,${word}a,Physics,,7`, `${word}c,${word}a,Optics,,8`)
  await syncs.approve(await syncs.run(sync))
  await give(`${word}a,,School,,`, `${word}b,${word}a,Optics,A${word},9`, `${word}c,${word}b,Optics,,8`)
  expect(await shownChanges(await syncs.run(sync, true))).toEqual({
    [`${word}b`]: {
      name: { before: 'Physics', after: 'Optics' },
      attribute: { before: '', after: 'Faculty' },
      position: { before: '7', after: '9' },
    },
    [`${word}c`]: { parentId: { before: 'School', after: 'Physics' } },
  })
})

test('who is told of a held run is told the names of fields and whether it is about departments', async () => {
  const mailbox = `${syncs.account(9)}@example.edu`
  const boss = await addPerson(syncs.server, { account: syncs.account(9), name: 'Boss', isSuperUser: true, mailbox })
  const word = syncs.account(0)
  const mapping = ['code', 'name'].map((field) => ({ column: field, field }))
  const sync = await syncs.newSync({
    ...{ objects: 'departments', keyColumn: '', mapping: [], responsibleIds: [boss] },
    departments: { keyColumn: 'code', parentColumn: 'parent', mapping },
  })
  await syncs.giveText(sync, `code,parent,name\n${word}a,,School\n`)
  await syncs.approve(await syncs.run(sync))
  await syncs.giveText(sync, `code,parent,name\n${word}a,,Renamed\n`)
  expect(await syncs.run(sync)).toMatchObject({ state: 'held', heldFor: [{ kind: 'changed' }, { field: 'name' }] })
  const mail = (await messagesTo(syncs.server, mailbox, 2)).find(({ text }) =>
    text.includes('1 个已关联部门中有 1 个变更'),
  )
  expect(mail?.text).toContain('1 个部门中有 1 个的“名称”发生变化')
})

test('choices are shown by their labels, and what is deleted as deleted', async () => {
  const { platform } = syncs.server
  const choice = (code: string, name: string) => ({ code, name, names: {} })
  const size = {
    key: 'shoeSize',
    name: 'Shoe size',
    names: {},
    kind: 'choice',
    choices: [choice('s', 'Small'), choice('l', 'Large')],
  }
  await applyBootstrap(platform, { settings: { accountFields: { custom: [size] } } }, { source: 'test' })
  const [one, gone] = [syncs.account(1), syncs.named('Gone').replace(' ', '-')]
  await newDepartment(gone, gone)
  const mapping = ['account', 'name', 'organization', 'custom.shoeSize'].map((field) => ({ column: field, field }))
  const sync = await syncs.newSync({ mapping, thresholds: ROOMY })
  const give = (department: string, code: string) =>
    syncs.giveText(sync, `no,${mapping.map(({ column }) => column).join()}\nK1,${one},One,${department},${code}\n`)
  await give(gone, 's')
  await syncs.approve(await syncs.run(sync))
  const other = syncs.named('Other').replace(' ', '-')
  await newDepartment(other, other)
  await give(other, 'l')
  const run = await syncs.run(sync)
  const sizes = { 'custom.shoeSize': { before: 'Small', after: 'Large' } }
  expect(await shownChanges(run)).toEqual({ K1: { organizationId: { before: gone, after: other }, ...sizes } })
  await syncs.sql`delete from organizations where code = ${gone}`
  const organizationId = { before: 'Deleted in the meantime', after: other }
  expect(await shownChanges(run)).toEqual({ K1: { organizationId, ...sizes } })
})

test('a department that moves into one that the same run creates is shown with its name', async () => {
  const word = syncs.account(0)
  const mapping = ['code', 'name'].map((field) => ({ column: field, field }))
  const departments = { keyColumn: 'code', parentColumn: 'parent', mapping }
  const sync = await syncs.newSync({
    ...{ objects: 'departments', departments, keyColumn: '', mapping: [], thresholds: ROOMY },
  })
  const give = (...rows: string[]) => syncs.giveText(sync, `code,parent,name\n${rows.join('\n')}\n`)
  await give(`${word}a,,School`, `${word}b,${word}a,Physics`)
  await syncs.approve(await syncs.run(sync))
  await give(`${word}a,,School`, `${word}b,${word}n,Physics`, `${word}n,${word}a,Sciences`)
  const plan = await syncs.run(sync, true)
  expect(await shownChanges(plan)).toMatchObject({
    [`${word}b`]: { parentId: { before: 'School', after: 'Sciences' } },
  })
})

test('a notice calls a deleted field just so, and the name of a person as the page does', async () => {
  const mailbox = `${syncs.account(8)}@example.edu`
  const boss = await addPerson(syncs.server, { account: syncs.account(8), name: 'Boss', isSuperUser: true, mailbox })
  await transaction(systemContext(syncs.server.platform), (inner) =>
    notifyResponsible(inner, {
      run: { state: 'held', dryRun: false },
      sync: { name: 'People', responsibleIds: [boss] },
      page: 'sync',
      heldFor: ['custom.deleted', 'name'].map((field) => ({ kind: 'field', count: 2, of: 3, threshold: 10, field })),
      heldKey: 'directory-sync.held',
    }),
  )
  const [mail] = await messagesTo(syncs.server, mailbox)
  expect(mail?.text).toContain('已删除的字段')
  expect(mail?.text).not.toContain('custom')
  expect(mail?.text).toContain('姓名')
})

test('the problems of a row say which field they are about', async () => {
  const [one, two, three] = [syncs.account(11), syncs.account(12), syncs.account(13)]
  const mapping = ['account', 'name', 'mailbox', 'gender'].map((field) => ({ column: field, field }))
  const sync = await syncs.newSync({ mapping, thresholds: ROOMY })
  const mailbox = `${one}@example.edu`
  await addPerson(syncs.server, { account: one, name: 'One', mailbox })
  const rows = [`K2,${two},Two,${mailbox},`, `K3,${three},Three,nowhere,`, `K4,${three}4,,,`, `K5,${three}5,Five,,blue`]
  await syncs.giveText(sync, `no,account,name,mailbox,gender\n${rows.join('\n')}\n`)
  const { id } = await syncs.run(sync, true)
  const said = async (language: string) => {
    const headers = { 'accept-language': language }
    const { data } = await syncs.root.call<{ rows: SyncRow[] }>(`/directory_sync_run/${id}/details/`, { headers })
    return data.rows.map(({ problems }) => problems)
  }
  expect(await said('en')).toEqual([
    ['Email: Already belongs to someone.'],
    ['Email: Invalid format.'],
    ['Name: Please fill this in.'],
    ['Gender: Write male, female or unknown.'],
  ])
  expect((await said('zh-CN'))[2]).toEqual([expect.stringMatching(/^姓名：/)])
  expect((await said('zh-TW'))[0]).toEqual([expect.stringMatching(/^電子/)])
})
