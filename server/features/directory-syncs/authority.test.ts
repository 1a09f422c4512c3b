import { expect, onTestFinished, test } from 'vitest'
import { CustomField } from '#shared/contract/custom-fields.ts'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import type { PersonalData } from '#shared/contract/profile.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { begun, NEW_PASSWORD } from '../../testing/activation.ts'
import { uploadFile } from '../../testing/data-sources.ts'
import { SYNC_MAPPING, SyncWorld } from '../../testing/directory-syncs.ts'
import { openPortal } from '../../testing/portal.ts'
import { enterPortal, setFieldRules } from '../../testing/sign-in.ts'

const syncs = new SyncWorld()

const ACCOUNT = { column: 'account', field: 'account' }
const NICK = { column: 'nickname', field: 'nickname' }
const ROOM = CustomField.parse({ kind: 'text', key: 'room', name: 'Room', editableBy: 'self', required: 'always' })
const FIELD_OF: Record<string, string> = { id: 'idNumber', room: 'custom.room' }
const ROOMY = { thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 } }

/** Another source with the same people, by the columns of its own file. */
async function addSync(name: string, mapping: object[], more: object = {}): Promise<DirectorySync> {
  const { data, envelope } = await syncs.root.call<DirectorySync>('/directory_sync/create/', {
    body: {
      ...{ name: syncs.named(name), sourceId: await syncs.newSource(), keyColumn: 'no', mapping },
      ...ROOMY,
      ...more,
    },
  })
  expect(envelope.state).toBe(200)
  return data
}

const upload = (sync: DirectorySync, lines: string[]) => uploadFile(syncs.root, sync.sourceId, `${lines.join('\n')}\n`)
const first = async (sync: DirectorySync) => await syncs.approve(await syncs.run(sync))
const details = async (account: string) => {
  const { id = '' } = (await syncs.people()).find((one) => one.account === account) ?? {}
  return (await syncs.root.call<UserDetails>(`/user_information/${id}/full_details/`)).data
}
const update = (person: UserDetails, body: object) =>
  syncs.root.call(`/user_information/${person.id}/update/`, { body: { version: person.version, ...body } })

test('fields owned by a source are read-only for administrators, and name their owner', async () => {
  const sync = await syncs.filledSync(syncs.numbered(2))
  const [run] = await syncs.runs(sync)
  const person = await details(syncs.account(0))
  expect(person.fieldOwners).toEqual([
    {
      field: 'name',
      syncId: sync.id,
      sync: sync.name,
      source: sync.sourceName,
      runId: run?.id,
      since: expect.any(String),
    },
  ])
  const refused = await update(person, { name: 'By hand' })
  expect(refused.envelope).toMatchObject({ state: 400, data: { fields: [{ field: 'name' }] } })
  expect(refused.envelope.message).toContain(sync.sourceName)
  // Fields without an owner can still be edited, and sending an unchanged owned value is no change.
  expect((await update(person, { name: person.name, alias: 'nick-of-hand' })).envelope.state).toBe(200)
})

test('nobody owns the fields of an administrator, whom no sync changes: they stay editable', async () => {
  const sync = await syncs.filledSync(syncs.numbered(2))
  const { id } = await details(syncs.account(0))
  const school = { code: syncs.named('school').replace(' ', '-'), name: 'School', parentId: null }
  const made = await syncs.root.call<{ id: string }>('/organization/create/', { body: school })
  const appointment = { userId: id, organizationId: made.data.id, permissions: [] }
  const appointed = await syncs.root.call('/administrator_manage/create/', { body: appointment })
  expect(appointed.envelope.state).toBe(200)
  const person = await details(syncs.account(0))
  expect(person.fieldOwners).toEqual([])
  expect((await update(person, { name: 'By hand' })).envelope.state).toBe(200)
  expect(await syncs.run(sync)).toMatchObject({ counts: { protected: 1, unchanged: 1 } })
  expect((await details(syncs.account(0))).name).toBe('By hand')
})

test("the person can't change a field owned by a source either", async () => {
  await setFieldRules(syncs.server, { custom: [{ ...ROOM, required: 'never' }] })
  onTestFinished(() => setFieldRules(syncs.server, { custom: [] }))
  const sync = await addSync('HR', [...SYNC_MAPPING, NICK, { column: 'room', field: 'custom.room' }])
  await upload(sync, ['no,account,name,nickname,room', `H0,${syncs.account(0)},Person,Nick,A1`])
  await first(sync)
  const { id, version } = await details(syncs.account(0))
  await syncs.sql`update users set activated = true where id = ${id}`
  const owner = await openPortal(syncs.server, { userId: id })
  const change = () => owner.call(`/user_information/${id}/user_nick/`, { body: { nick: 'Other', version } })
  expect((await change()).envelope).toMatchObject({
    code: 'account-field.not-editable',
    data: { fields: ['nickname'] },
  })
  const changeRoom = async () => {
    const { data } = await owner.call<PersonalData>(`/user_information/${id}/details/`)
    const body = { key: 'room', value: 'B2', version: data.version }
    return {
      shown: data.custom,
      code: (await owner.call(`/user_information/${id}/custom_field/`, { body })).envelope.code ?? null,
    }
  }
  expect(await changeRoom()).toMatchObject({
    shown: [{ field: { key: 'room', editableBy: 'source' }, value: 'A1', isEditable: false }],
    code: 'account-field.not-editable',
  })
  await syncs.sql`delete from directory_links where user_id = ${id}`
  expect((await change()).envelope.state).toBe(200)
  expect(await changeRoom()).toMatchObject({ shown: [{ field: { editableBy: 'self' }, isEditable: true }], code: null })
})

test('required fields owned by a source are not asked for: people activate and log in without them', async () => {
  const { server, sql } = syncs
  await setFieldRules(server, { custom: [{ ...ROOM, required: 'never' }] })
  onTestFinished(() => setFieldRules(server, { custom: [] }))
  const fields = ['id', 'nickname', 'phone', 'room'].map((column) => ({ column, field: FIELD_OF[column] ?? column }))
  const sync = await addSync('HR', [...SYNC_MAPPING, ...fields])
  const person = { account: syncs.account(0), name: 'Person', idNumber: '999999200102031234' }
  await upload(sync, ['no,account,name,id,nickname,phone,room', `H0,${person.account},Person,${person.idNumber},,,`])
  await first(sync)
  const lacking = async () => {
    const changes = { 'nickname.required': 'always', custom: [ROOM] }
    const call = syncs.root.call<{ figures: ImpactFigure[] }>('/policy_impact/account_fields/', { body: { changes } })
    const { figures } = (await call).data
    return figures.map(({ field, rows }) => [field, rows.some((row) => row.person.account === person.account)])
  }
  const fieldsWith = (isCounted: boolean) => [
    ['nickname', isCounted],
    ['custom.room', isCounted],
  ]
  expect(await lacking()).toEqual(fieldsWith(false))
  await setFieldRules(server, { 'nickname.required': 'always', 'phone.required': 'always', custom: [ROOM] })
  onTestFinished(() => setFieldRules(server, { 'nickname.required': 'never', 'phone.required': 'never' }))
  const page = await begun(server, { ...person, userId: '' })
  await page.call('password/', { password: NEW_PASSWORD })
  for (const { step, need } of page.state().steps) if (need === 'optional') await page.call('skip/', { step })
  expect((await page.call('', {})).data?.isComplete).toBe(true)
  const own = await enterPortal(server, person.account, NEW_PASSWORD)
  expect(own.user.profileDue).toBe('0')
  expect((await own.call('/profile_completion/details/')).data).toMatchObject({
    missing: [],
    missingCustom: [],
    leftToOthers: ['nickname', 'phone'],
    customLeftToOthers: ['Room'],
  })
  await sql`delete from directory_links where user_id = ${own.user.userId}`
  expect((await enterPortal(server, person.account, NEW_PASSWORD)).user.profileDue).toBe('1')
  await setFieldRules(server, { 'nickname.required': 'never', custom: [{ ...ROOM, required: 'never' }] })
  expect(await lacking()).toEqual(fieldsWith(true))
})

test('of several sources the first by rank owns a field, and each writes only its own fields', async () => {
  const hr = await addSync('HR', SYNC_MAPPING, { rank: 10 })
  const portal = await addSync('Portal', [ACCOUNT, { column: 'name', field: 'name' }, NICK], { rank: 20 })
  const account = syncs.account(0)
  await upload(hr, ['no,account,name', `H0,${account},Right`])
  await first(hr)
  await upload(portal, ['no,account,name,nickname', `P0,${account},Wrong,Nick`])
  const linked = await first(portal)
  expect(linked).toMatchObject({ state: 'done', counts: { changed: 1 } })
  const person = await details(account)
  expect([person.name, person.nickname]).toEqual(['Right', 'Nick'])
  expect(person.fieldOwners.map(({ field, syncId }) => [field, syncId])).toEqual([
    ['name', hr.id],
    ['nickname', portal.id],
  ])
  expect(await syncs.run(portal)).toMatchObject({ state: 'done', counts: { unchanged: 1 } })
  // The first source no longer has them, so the name belongs to the other one from then on.
  await upload(hr, ['no,account,name', `H1,${syncs.account(1)},Somebody else`])
  expect(await syncs.run(hr)).toMatchObject({ state: 'done', counts: { missing: 1, new: 1 } })
  expect(await syncs.run(portal)).toMatchObject({ state: 'done', counts: { changed: 1 } })
  expect((await details(account)).name).toBe('Wrong')
})

test('a person missing from one source is no leaver while another source has them', async () => {
  const leavers = { leavers: { action: 'disable', runs: 1, days: 0 } }
  const hr = await addSync('Staff', SYNC_MAPPING, leavers)
  const students = await addSync('Students', SYNC_MAPPING, leavers)
  const [both, staff, student] = [0, 1, 2].map((at) => syncs.account(at))
  await upload(hr, ['no,account,name', `S0,${both},Both`, `S1,${staff},Staff`])
  await first(hr)
  await upload(students, ['no,account,name', `T0,${both},Both`, `T2,${student},Student`])
  await first(students)
  const enabled = async () => (await syncs.people()).filter((one) => one.enabled).map(({ account }) => account)
  expect(await enabled()).toEqual([both, staff, student])
  await upload(hr, ['no,account,name', `S9,${syncs.account(9)},New`])
  expect(await syncs.run(hr)).toMatchObject({ counts: { missing: 1, leaver: 1, new: 1 } })
  expect(await enabled()).toEqual([both, student, syncs.account(9)])
  await upload(students, ['no,account,name', `T2,${student},Student`])
  expect(await syncs.run(students)).toMatchObject({ counts: { leaver: 1, unchanged: 1 } })
  expect(await enabled()).toEqual([student, syncs.account(9)])
})

test('a person whom another source has got since the plan was made is no leaver either, and no undo deletes them', async () => {
  const leavers = { leavers: { action: 'disable', runs: 1, days: 0 } }
  const hr = await addSync('Staff', SYNC_MAPPING, leavers)
  const students = await addSync('Students', SYNC_MAPPING, leavers)
  const [moved = '', gone = '', stays = ''] = [0, 1, 2].map((at) => syncs.account(at))
  await upload(hr, ['no,account,name', `S0,${moved},Moved`, `S1,${gone},Gone`, `S2,${stays},Stays`])
  const created = await first(hr)
  await upload(hr, ['no,account,name', `S2,${stays},Stays`])
  const plan = await syncs.run(hr, true)
  expect(plan.counts).toMatchObject({ leaver: 2, unchanged: 1 })
  await upload(students, ['no,account,name', `T0,${moved},Moved`])
  expect((await first(students)).counts).toEqual({ unchanged: 1 })
  expect(await syncs.approve(plan)).toMatchObject({ state: 'done', counts: { 'changed-since': 1, leaver: 1 } })
  const enabled = async () => (await syncs.people()).filter((one) => one.enabled).map(({ account }) => account)
  expect(await enabled()).toEqual([moved, stays])
  expect((await syncs.undo(created)).undo).toEqual({ removed: 1, touched: 2 })
  expect((await syncs.people()).map(({ account }) => account)).toEqual([moved, gone])
})

test("two syncs read one source in turn, and neither takes the other's people for leavers", async () => {
  const leavers = { leavers: { action: 'disable', runs: 1, days: 0 }, ...ROOMY }
  const [staff, students] = [`${syncs.table()}_staff`, `${syncs.table()}_students`]
  const { sql } = syncs
  for (const [at, table] of [staff, students].entries()) {
    await sql.unsafe(`create table ${table} (no text, account text, name text)`)
    await sql.unsafe(`insert into ${table} values ('K', '${syncs.account(at)}', '${table}')`)
  }
  const one = await syncs.newSync(leavers, staff)
  const fields = { name: syncs.named('Second'), sourceId: one.sourceId, table: students, keyColumn: 'no' }
  const two = await syncs.root.call<DirectorySync>('/directory_sync/create/', {
    body: { ...fields, mapping: SYNC_MAPPING, ...leavers },
  })
  await first(one)
  await first(two.data)
  expect(await syncs.run(one)).toMatchObject({ state: 'done', counts: { unchanged: 1 } })
  expect(await syncs.run(two.data)).toMatchObject({ state: 'done', counts: { unchanged: 1 } })
  expect((await syncs.people()).map(({ enabled }) => enabled)).toEqual([true, true])
})

test('no sync sets a password, activates anybody or lifts a state that it did not set', async () => {
  const sync = await syncs.filledSync(syncs.numbered(3), ROOMY)
  const [locked, frozen, off] = [0, 1, 2].map((at) => syncs.account(at))
  await syncs.sql`update users set locked_at = now() where account = ${locked ?? ''}`
  await syncs.sql`update users set frozen_from = now() where account = ${frozen ?? ''}`
  await syncs.sql`update users set enabled = false where account = ${off ?? ''}`
  await syncs.give(sync, syncs.numbered(3, 'Renamed'))
  expect(await syncs.run(sync)).toMatchObject({ state: 'done', counts: { changed: 3 } })
  const rows = await syncs.sql`
    select locked_at is not null as locked, frozen_from is not null as frozen, enabled, activated,
      exists (select from passwords p where p.user_id = u.id) as has_password
    from users u where account = any(${[locked, frozen, off] as string[]}) order by account`
  const standing = { locked: false, frozen: false, enabled: true, activated: false, hasPassword: false }
  expect([...rows]).toEqual([
    { ...standing, locked: true },
    { ...standing, frozen: true },
    { ...standing, enabled: false },
  ])
})
