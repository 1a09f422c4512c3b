import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type BatchAnswer, batchUpdateUsers, EDIT_VERBS, LIFT_VERBS } from '#shared/contract/user-verbs.ts'
import { createUser, type PersonShape, updateUser } from '#shared/contract/users.ts'
import { type Gains, startGains } from '../../testing/gains.ts'
import type { Portal, Reply } from '../../testing/portal.ts'

let school: Gains
beforeAll(async () => {
  school = await startGains()
})
afterAll(() => school.close())

const refusalOf = ({ status, envelope }: Reply) => [status, envelope.code]

type Value = { value: () => unknown; gives: string | null }
const plain = (value: unknown): Value => ({ value: () => value, gives: null })
const fresh = (value: (n: number) => string): Value => ({ value: () => value(school.next()), gives: null })
const filed = (gives: string | null, ...codes: string[]): Value => ({ value: () => school.id(codes[0] ?? ''), gives })

/** Each field of a person with possible values, and what those would give a person who has nothing. */
const FIELDS: Record<keyof typeof PersonShape, Value[]> = {
  organizationId: [
    filed('VAULT', 'rich'),
    filed('VAULT', 'within'),
    filed('PRESS, Role reader', 'readers'),
    filed(null, 'poor'),
  ],
  secondaryOrganizationIds: [
    { value: () => ['within', 'readers'].map(school.id), gives: 'PRESS, Role reader, VAULT' },
    { value: () => [school.id('school')], gives: null },
  ],
  categoryId: [filed('SAFE', 'insider'), filed('Role keeper', 'trusted'), filed(null, 'plain')],
  personnelTypeId: [filed(null, 'guest')],
  name: [plain('Renamed')],
  nickname: [plain('Nick')],
  gender: [plain('female')],
  birthday: [plain('2001-02-03')],
  idNumber: [plain('11010519491231002X')],
  phone: [fresh((n) => `1380000${1000 + n}`)],
  mailbox: [fresh((n) => `m${n}@example.edu`)],
  alias: [fresh((n) => `alias-${n}`)],
  validFrom: [plain('2020-01-01T00:00:00Z')],
  validUntil: [plain('2090-01-01T00:00:00Z')],
}
const cases = (taken: object) =>
  Object.entries(FIELDS).flatMap(([field, values]) => (field in taken ? values.map((one) => ({ field, ...one })) : []))
const shapeOf = (body: z.ZodType) => (body as z.ZodObject).shape

type Case = ReturnType<typeof cases>[number]
type Call = { name: string; taken: object; run: (page: Portal, one: Case) => Promise<Reply<unknown>> }
const create: Call = {
  name: 'create',
  taken: shapeOf(createUser.body),
  async run(page, { field, value }) {
    const body = { account: `new-${school.next()}`, name: 'New', organizationId: school.id('poor'), [field]: value() }
    return await page.call('/user_information/create/', { body })
  },
}
const update: Call = {
  name: 'update',
  taken: shapeOf(updateUser.body),
  async run(page, { field, value }) {
    const user = await school.somebody()
    return await page.call(`/user_information/${user.id}/update/`, { body: { version: 1, [field]: value() } })
  },
}

test.each([create, update])(
  '$name: setting a field that grants applications requires the permission to grant them, and the error names them',
  async ({ name, taken, run }) => {
    const { editor, granter, root, nothingGained } = school
    for (const one of cases(taken)) {
      const { field, gives } = one
      const answer = await nothingGained([name, field, gives], () => run(editor, one))
      if (gives === null) {
        expect([name, field, answer.status]).toEqual([name, field, 200])
        continue
      }
      expect([name, field, ...refusalOf(answer)]).toEqual([name, field, 403, 'user.gains'])
      expect(answer.envelope.message).toContain(
        `gain: ${gives}. That also requires the permission “Grant applications”`,
      )
      const told = { field, reason: expect.stringContaining(`gain: ${gives}.`) }
      expect(answer.envelope.data).toEqual({ fields: [told] })
      for (const page of [granter, root])
        expect([name, field, (await run(page, one)).status]).toEqual([name, field, 200])
    }
  },
)

test('in a bulk change, people who would gain access are reported and left alone, and the others are changed', async () => {
  const { fields } = shapeOf(batchUpdateUsers.body) as { fields: z.ZodType }
  for (const { field, value, gives } of cases(shapeOf(fields))) {
    // Already has all of it, so nothing is gained.
    const rich = await school.somebody({
      organizationId: school.id('within'),
      secondaryOrganizationIds: [school.id('readers')],
      categoryId: school.id(gives === 'Role keeper' ? 'trusted' : 'insider'),
    })
    const poor = await school.somebody()
    const set = async (page: Portal, dryRun: boolean) => {
      const body = { selection: { ids: [poor.id, rich.id] }, dryRun, fields: { [field]: value() } }
      return (await page.call<BatchAnswer>('/user_information/batch_update/', { body })).data
    }
    const message = expect.stringContaining(`gain: ${gives}.`)
    for (const dryRun of [true, false]) {
      const { refused } = await school.nothingGained([field, gives], () => set(school.editor, dryRun))
      const expected = gives === null ? [] : [{ id: poor.id, code: 'user.gains', message }]
      expect([field, refused]).toMatchObject([field, expected])
    }
    if (gives) expect([field, await set(school.granter, false)]).toMatchObject([field, { changed: 1, refused: [] }])
  }
})

test('access that a person already has, or loses and regains in one change, is no gain; a longer period is', async () => {
  const own = await school.somebody()
  await school.grant('vault', own.id)
  const change = (user: string, body: object) =>
    school.editor.call(`/user_information/${user}/update/`, { body: { version: 1, ...body } })
  expect((await change(own.id, { organizationId: school.id('rich') })).status).toBe(200)
  const moved = await school.somebody({ secondaryOrganizationIds: [school.id('within')] })
  const swap = { organizationId: school.id('rich'), secondaryOrganizationIds: [] }
  expect((await change(moved.id, swap)).status).toBe(200)
  const soon = await school.somebody()
  const validUntil = new Date(school.server.platform.now().getTime() + 86_400_000).toISOString()
  const body = { memberId: soon.id, appIds: ['vault'], validUntil }
  expect((await school.root.call('/application_grant/bind/', { body })).status).toBe(200)
  expect(refusalOf(await change(soon.id, { organizationId: school.id('rich') }))).toEqual([403, 'user.gains'])
})

const verb = (page: Portal, user: string, name: string) =>
  page.call(`/user_information/${user}/${name}/`, { body: { reason: 'Test' } })

test('a deleted person is restored with their applications only by somebody who may grant them', async () => {
  const { editor, granter, somebody } = school
  const insider = (await somebody({ categoryId: school.id('insider') })).id
  const [poor, direct] = [(await somebody()).id, (await somebody()).id]
  await school.grant('press', direct)
  const ids = [insider, direct, poor]
  for (const user of ids) expect((await verb(editor, user, 'delete')).status).toBe(200)
  const body = { selection: { ids }, verb: 'restore', dryRun: true }
  const preview = await editor.call<BatchAnswer>('/user_information/batch_change/', { body })
  const gains = (things: string) => ({ code: 'user.gains', message: expect.stringContaining(`gain: ${things}.`) })
  expect(preview.data).toMatchObject({
    changed: 1,
    refused: [
      { id: insider, ...gains('SAFE') },
      { id: direct, ...gains('PRESS') },
    ],
  })
  const refused = await verb(editor, insider, 'restore')
  expect(refused).toMatchObject({ status: 403, envelope: gains('SAFE') })
  expect((await verb(editor, poor, 'restore')).status).toBe(200)
  for (const user of [insider, direct]) expect((await verb(granter, user, 'restore')).status).toBe(200)
})

test('no verb grants anybody anything', async () => {
  const user = await school.somebody({ categoryId: school.id('insider') })
  const gone = await school.somebody({ organizationId: school.id('rich') })
  await verb(school.root, gone.id, 'delete')
  for (const name of [...EDIT_VERBS, ...LIFT_VERBS]) {
    const path = LIFT_VERBS.some((one) => one === name) ? 'batch_lift' : 'batch_change'
    const body = { selection: { ids: [user.id, gone.id] }, verb: name }
    const act = () => school.editor.call(`/user_information/${path}/`, { body })
    expect([name, (await school.nothingGained(name, act)).status]).toEqual([name, 200])
  }
})

test('nothing is revealed about what a place outside the scope would grant', async () => {
  const { id: user } = await school.somebody()
  for (const field of ['organizationId', 'secondaryOrganizationIds']) {
    const ask = async (one: string) => {
      const value = field === 'organizationId' ? one : [one]
      const body = { version: 1, [field]: value, categoryId: school.id('insider') }
      return { ...(await school.editor.call(`/user_information/${user}/update/`, { body })).envelope, requestId: '' }
    }
    const outside = await ask(school.id('elsewhere'))
    expect(outside.code).toBe('request.invalid')
    expect(outside).toEqual(await ask(user))
  }
})

/** Changing calls that are open to administrators and assign people to something, or move what they are assigned to. */
const JUDGED = [
  '/organization/{id}/delete/',
  '/organization/{id}/merge/',
  '/organization/{id}/move/',
  '/user_information/batch_change/',
  '/user_information/batch_lift/',
  '/user_information/batch_update/',
  '/user_information/create/',
  '/user_information/{id}/import/start/',
  '/user_information/{id}/import/undo/',
  '/user_information/{id}/restore/',
  '/user_information/{id}/update/',
]
const GIVES_NOTHING = [
  // A new one has no members, and an update moves nothing.
  '/organization/create/',
  '/organization/{id}/update/',
  // Bulk verbs, covered above.
  ...['delete', 'disable_user', 'enable_user', 'freeze', 'lock', 'thaw', 'unlock'].map(
    (name) => `/user_information/{id}/${name}/`,
  ),
  '/user_information/{id}/end_sessions/',
  '/user_information/freeze_list/',
  '/user_information/{id}/reset/',
  '/user_information/import/upload/',
  '/user_information/{id}/import/check/',
  '/user_information/{id}/import/accept/',
  '/background_task/{id}/cancel/',
  '/app_visit_log/export/',
  '/log_export/{id}/delete/',
  '/log_insight/{id}/dismiss/',
  '/log_insight/{id}/reopen/',
  '/login_log/export/',
]

test('every changing call for administrators is classified here; a new one must be', () => {
  const changing = school.server.app.surface.endpoints.filter(
    // Granting is what this permission is for.
    ({ method, access }) => method === 'POST' && /^administrator(?!:authorise)/.test(access),
  )
  expect(changing.map(({ path }) => path).toSorted()).toEqual([...JUDGED, ...GIVES_NOTHING].toSorted())
})
