import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MyApplication } from '#shared/contract/applications.ts'
import type { Change } from '#shared/contract/change-history.ts'
import { type Granting, refusal, startGranting } from '../../testing/granting.ts'
import { openPortal } from '../../testing/portal.ts'

let school: Granting
beforeAll(async () => {
  school = await startGranting()
})
afterAll(() => school.server.close())
beforeEach(() => school.clear())

type Preview = { current: object; wanted: object; version: number; missing: object[] }

/** The audit records of an application's grants, latest first. */
const lines = async (appId: string) =>
  (
    await school.call<{ records: Change[] }>(
      `/change_history/query/?targetKind=application-grant&targetId=${school.id(appId)}`,
    )
  ).data.records
const latest = async (appId: string): Promise<Change> => {
  const [line] = await lines(appId)
  if (!line) throw new Error('no line')
  return line
}
const preview = ({ id, at }: Change, side = 'before') =>
  school.call<Preview>(`/change_history/${id}/roll_back/?side=${side}&at=${encodeURIComponent(at)}`)
const rollBack = ({ id, at }: Change, version: number, side = 'before') =>
  school.call<{ changed: boolean; current: object }>(`/change_history/${id}/roll_back/`, {
    at,
    side,
    version,
    reason: 'A mistake',
  })
const grantOf = async (member: string, appId: string) => {
  const { data } = await school.authorised(member)
  return data.records.find((one: MyApplication) => one.appId === appId)?.grant ?? null
}

test('the grants of an application are in its own history, and not in that of another', async () => {
  await school.bind('lilei', { appIds: ['two'] })
  const actions = async (appId: string) => {
    const query = `?targetKind=application&targetId=${school.id(appId)}`
    const { data } = await school.call<{ records: Change[] }>(`/change_history/query/${query}`)
    return data.records.map(({ action, after }) => [action, (after?.['member'] as { code?: string })?.code])
  }
  expect((await actions('two'))[0]).toEqual(['application-grant.give', 'lilei'])
  expect((await actions('one')).flat()).not.toContain('application-grant.give')
})

test.each(['staff', 'cs', 'student', 'lilei'])(
  'a grant to %s is rolled back: granted again, withdrawn, with its former dates',
  async (member) => {
    const until = school.at(5)
    await school.bind(member, { appIds: ['two'], validUntil: until })
    await school.remove(member, { appIds: ['two'] })
    const withdrawal = await latest('two')
    expect(withdrawal).toMatchObject({
      action: 'application-grant.withdraw',
      restorable: { before: true, after: true },
    })
    const shown = await preview(withdrawal)
    expect(shown.data).toMatchObject({
      current: { application: 'App two', granted: false, validUntil: null },
      wanted: { application: 'App two', granted: true, validUntil: until },
      version: 0,
      missing: [],
    })
    expect((await rollBack(withdrawal, 0)).data).toEqual({ changed: true })
    expect(await grantOf(member, 'two')).toMatchObject({ validUntil: until, grantedBy: 'Name of root', version: 1 })
    const own = await latest('two')
    expect(own).toMatchObject({
      action: 'change.roll-back',
      reason: 'A mistake',
      before: { granted: false },
      after: { granted: true, validUntil: until },
    })
    await school.call('/application_grant/update/', {
      memberId: school.id(member),
      appId: 'two',
      version: 1,
      validFrom: null,
      validUntil: null,
    })
    const change = await latest('two')
    expect(change.action).toBe('application-grant.change')
    expect((await rollBack(change, 2)).data).toEqual({ changed: true })
    expect(await grantOf(member, 'two')).toMatchObject({ validUntil: until, version: 3 })
    // Rolls the rollback back: not granted.
    expect((await rollBack(own, 3)).data).toEqual({ changed: true })
    expect(await grantOf(member, 'two')).toBeNull()
    expect((await rollBack(own, 0)).data).toEqual({ changed: false })
  },
)

test('a grant given by mistake is withdrawn by a rollback, and the person sees both records', async () => {
  await school.bind('lilei', { appIds: ['one'] })
  const given = await latest('one')
  expect(given).toMatchObject({ before: null, restorable: { before: true, after: true } })
  expect((await preview(given)).data).toMatchObject({ current: { granted: true }, wanted: { granted: false } })
  expect((await rollBack(given, 1)).data).toEqual({ changed: true })
  expect(await grantOf('lilei', 'one')).toBeNull()
  const person = await openPortal(school.server, { userId: school.id('lilei') })
  const own = await person.call<{ records: { action: string }[] }>('/certification_record/account_maintenance/')
  expect(own.data.records.slice(0, 2).map(({ action }) => action)).toEqual([
    'change.roll-back',
    'application-grant.give',
  ])
})

test('what somebody changed meanwhile is not overwritten, and grants to others are left alone', async () => {
  await school.bind('staff', { appIds: ['one'] })
  await school.bind('cs', { appIds: ['one'] })
  const [ofDepartment, ofRole] = await lines('one')
  if (!ofDepartment || !ofRole) throw new Error('no lines')
  const validUntil = school.at(3)
  await school.call('/application_grant/update/', {
    memberId: school.id('staff'),
    appId: 'one',
    version: 1,
    validUntil,
  })
  const late = await rollBack(ofRole, 1)
  expect(refusal(late)).toEqual([409, 'version.conflict'])
  expect(late.data.current).toMatchObject({ granted: true, validUntil })
  expect((await rollBack(ofRole, 2)).data).toEqual({ changed: true })
  expect(await grantOf('staff', 'one')).toBeNull()
  expect(await grantOf('cs', 'one')).not.toBeNull()
})

test('nothing is restored for a deleted member or application, nor where everybody may enter by now', async () => {
  const { sql } = school.server.platform
  await school.bind('wang', { appIds: ['one', 'two', 'three'] })
  await school.remove('wang', { appIds: ['one', 'two', 'three'] })
  const open = await latest('three')
  await sql`update applications set type = 'whitelist' where app_id = 'three'`
  expect(refusal(await rollBack(open, 0))).toEqual([409, 'application-grant.open-to-all'])
  const gone = await latest('two')
  await sql`update applications set enabled = false, deleted_at = now() where app_id = 'two'`
  expect(refusal(await preview(gone))).toEqual([409, 'change.target-gone'])
  const orphan = await latest('one')
  await sql`update users set deleted_at = now() where id = ${school.id('wang')}`
  expect(refusal(await preview(orphan))).toEqual([409, 'change.target-gone'])
  expect(refusal(await rollBack(orphan, 0))).toEqual([409, 'change.target-gone'])
  expect(await sql`select from application_grants where subject_id = ${school.id('wang')}`).toHaveLength(0)
})
