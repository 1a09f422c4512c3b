import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CustomField } from '#shared/contract/custom-fields.ts'
import { addNewcomer, begun, NEW_PASSWORD, type Newcomer, openActivation, type Page } from '../../testing/activation.ts'
import { codeSentTo } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, setFieldRules } from '../../testing/sign-in.ts'

const ROOM = CustomField.parse({
  kind: 'text',
  key: 'room',
  name: 'Room',
  editableBy: 'self',
  required: 'activation',
  format: 'digits',
})
const EVERYTHING = {
  'alias.required': 'activation',
  'nickname.required': 'activation',
  'gender.required': 'always',
  'birthday.required': 'activation',
  custom: [ROOM],
}
const TYPED = {
  alias: 'early-bird',
  nickname: 'Bird',
  gender: 'female',
  birthday: '2001-02-03',
  custom: { room: '12' },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
})
afterAll(() => server.close())
afterEach(async () => {
  const { sql, cache } = server.platform
  await sql`delete from settings where name = 'accountFields'`
  await cache.invalidate(sql, 'settings')
})

const stateOf = (page: Page) => page.state().steps.find(({ step }) => step === 'profile')?.state
const onFile = async ({ userId }: Newcomer) => {
  const [row] = await server.platform.sql`
    select activated, alias, nickname, gender, birthday::text as birthday, custom_values as custom from users where id = ${userId}`
  return row
}
/** Completes every step before the profile. */
async function upToProfile(newcomer: Newcomer): Promise<Page> {
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  for (const step of ['security-questions', 'phone', 'mailbox']) await page.call('skip/', { step })
  return page
}

test('an account is not activated without the required fields, whichever call is made', async () => {
  await setFieldRules(server, EVERYTHING)
  const newcomer = await addNewcomer(server)
  const page = await upToProfile(newcomer)
  expect(page.state().steps.at(-1)).toMatchObject({ step: 'profile', need: 'required', state: 'open' })
  expect(page.state().profile?.missing.map(({ field }) => field)).toEqual(['alias', 'nickname', 'gender', 'birthday'])
  expect(page.state().profile?.missingCustom.map(({ key }) => key)).toEqual(['room'])
  expect((await page.call('skip/', { step: 'profile' })).code).toBe('activation.step-required')
  expect((await page.call('', {})).code).toBe('activation.step-required')
  for (const [change, code] of [
    [{ alias: '1' }, 'alias.malformed'],
    [{ nickname: '' }, 'profile.bad-nickname'],
    [{ gender: undefined }, 'account-field.missing'],
    [{ birthday: '2001-02-31' }, 'profile.bad-birthday'],
    [{ custom: {} }, 'account-field.missing'],
    [{ custom: { room: 'twelve' } }, 'account-field.format'],
  ] as const)
    expect([change, (await page.call('profile/', { ...TYPED, ...change })).code]).toEqual([change, code])
  expect((await page.call('profile/', TYPED)).status).toBe(200)
  expect(await onFile(newcomer)).toMatchObject({ activated: false, nickname: null, gender: 'unknown' })
  expect((await page.call('', {})).data.isComplete).toBe(true)
  expect(stateOf(page)).toBe('done')
  expect(await onFile(newcomer)).toEqual({
    activated: true,
    alias: 'early-bird',
    nickname: 'Bird',
    gender: 'female',
    birthday: '2001-02-03',
    custom: { room: '12' },
  })
  expect((await attempt(server, 'early-bird', NEW_PASSWORD)).status).toBe(200)
})

test('activation doesn’t ask for fields that are on file, filled in by others or asked for later', async () => {
  await setFieldRules(server, {
    ...EVERYTHING,
    'birthday.editableBy': 'administrators',
    'gender.required': 'next-login',
    'alias.required': 'never',
    custom: [{ ...ROOM, editableBy: 'administrators' }],
  })
  const page = await begun(server, await addNewcomer(server, { nickname: 'Here' }))
  expect(page.state().steps.map(({ step }) => step)).not.toContain('profile')
})

test('a rule that changes during an activation applies to it', async () => {
  await setFieldRules(server, { 'nickname.required': 'activation' })
  const page = await upToProfile(await addNewcomer(server))
  expect((await page.call('profile/', { nickname: 'Early' })).status).toBe(200)
  await setFieldRules(server, { 'nickname.required': 'activation', 'gender.required': 'activation' })
  expect((await page.call('', {})).code).toBe('activation.step-required')
  expect((await page.reload())?.profile?.missing.map(({ field }) => field)).toEqual(['nickname', 'gender'])
})

test('missing fields are not revealed before the identity is verified', async () => {
  await setFieldRules(server, { 'nickname.required': 'activation' })
  const newcomer = await addNewcomer(server, { idNumber: undefined, mailbox: 'late.proof@example.edu' } as object)
  const page = openActivation(server)
  await page.begin({ account: newcomer.account, name: newcomer.name })
  expect(page.state().profile).toBeNull()
  expect((await page.call('profile/', { nickname: 'Early' })).code).toBe('activation.out-of-step')
  await page.send('mail')
  await page.call('identity/', { channel: 'mail', code: await codeSentTo(server, 'late.proof@example.edu') })
  await page.call('password/', { password: NEW_PASSWORD })
  for (const step of ['security-questions', 'phone']) await page.call('skip/', { step })
  expect(page.state().profile?.missing).toEqual([{ field: 'nickname', expected: null }])
})

test('whether a person lacks a field is not revealed before the identity is verified', async () => {
  await setFieldRules(server, { 'nickname.required': 'activation' })
  const stepsOf = async (person: object) => {
    const { account, name } = await addNewcomer(server, { idNumber: undefined, ...person } as object)
    const page = openActivation(server)
    await page.begin({ account, name })
    return { page, steps: page.state().steps }
  }
  const mailbox = 'nothing.lacks@example.edu'
  const { page, steps } = await stepsOf({ mailbox, nickname: 'Here' })
  const named = (all: typeof steps) => all.map(({ step, need, state }) => [step, need, state])
  expect(named((await stepsOf({ mailbox: 'much.lacks@example.edu' })).steps)).toEqual(named(steps))
  expect(steps.at(-1)).toMatchObject({ step: 'profile', state: 'open' })
  await page.send('mail')
  await page.call('identity/', { channel: 'mail', code: await codeSentTo(server, mailbox) })
  expect(stateOf(page)).toBeUndefined()
})

test('nobody can find out whose number is whose by guessing', async () => {
  await setFieldRules(server, {
    'idNumber.isUnique': true,
    'idNumber.required': 'activation',
    'idNumber.editableBy': 'self',
    custom: [ROOM],
  })
  const taken = '330101199901010021'
  await addPerson(server, { account: 'tried', idNumber: taken })
  const mailbox = 'tries.much@example.edu'
  const newcomer = await addNewcomer(server, { idNumber: undefined, mailbox } as object)
  const page = openActivation(server)
  await page.begin({ account: newcomer.account, name: newcomer.name })
  await page.send('mail')
  await page.call('identity/', { channel: 'mail', code: await codeSentTo(server, mailbox) })
  await page.call('password/', { password: NEW_PASSWORD })
  for (const step of ['security-questions', 'phone']) await page.call('skip/', { step })
  // The other field is wrong on purpose: nothing is saved, so one could go on guessing.
  const guess = async (idNumber: string) => (await page.call('profile/', { idNumber, custom: { room: 'x' } })).code
  const codes: string[] = []
  for (let at = 0; at < 20; at += 1) codes.push(await guess(at % 2 ? taken : `33010119990101003${at}`))
  expect(new Set(codes)).toEqual(new Set(['account-field.format', 'account-field.taken']))
  expect([await guess(taken), await guess('330101199901010099')]).toEqual(Array(2).fill('account-field.too-many-tries'))
})

test('a value or alias that was taken meanwhile is asked for again, and nothing is activated', async () => {
  await setFieldRules(server, {
    'nickname.required': 'activation',
    'nickname.isUnique': true,
    'alias.required': 'activation',
    'idNumber.isUnique': true,
    'idNumber.required': 'activation',
    'idNumber.editableBy': 'self',
  })
  await addPerson(server, { account: 'first', nickname: 'Taken', idNumber: '330101199901010011' })
  const newcomer = await addNewcomer(server, { idNumber: undefined, mailbox: 'race.way@example.edu' } as object)
  const page = openActivation(server)
  await page.begin({ account: newcomer.account, name: newcomer.name })
  await page.send('mail')
  await page.call('identity/', { channel: 'mail', code: await codeSentTo(server, 'race.way@example.edu') })
  await page.call('password/', { password: NEW_PASSWORD })
  for (const step of ['security-questions', 'phone']) await page.call('skip/', { step })
  const typed = { nickname: 'Mine', alias: 'mine-only', idNumber: '330101199901010012' }
  const take = (change: object) => page.call('profile/', { ...typed, ...change })
  expect(await take({ nickname: 'taken' })).toMatchObject({
    code: 'account-field.taken',
    data: { fields: ['nickname'] },
  })
  expect(await take({ idNumber: '330101199901010011' })).toMatchObject({ data: { fields: ['idNumber'] } })
  expect((await take({})).status).toBe(200)
  await addPerson(server, { account: 'second', alias: 'mine-only' })
  expect((await page.call('', {})).code).toBe('alias.taken')
  expect(await onFile(newcomer)).toMatchObject({ activated: false, nickname: null })
  await page.reload()
  expect(stateOf(page)).toBe('open')
  expect((await take({ alias: 'mine-too' })).status).toBe(200)
  expect((await page.call('', {})).data.isComplete).toBe(true)
})
