import { beforeAll, beforeEach, expect, test } from 'vitest'
import { refusal, startGranting, UNKNOWN } from '../../testing/granting.ts'
import { addPerson } from '../../testing/people.ts'

type Impact = { total: number; totalIsLowerBound: boolean; people: { account: string }[] }

let school: Awaited<ReturnType<typeof startGranting>>

beforeAll(async () => {
  school = await startGranting()
  await addPerson(school.server, { account: 'meng', organization: 'cs', category: 'student' })
  return () => school.server.close()
})
beforeEach(async () => void (await school.clear()))

async function impact(change: 'give' | 'withdraw', appId: string, ...members: string[]) {
  const memberIds = members.map(school.id).join(',')
  const query = new URLSearchParams({ appId, memberIds, change })
  return await school.call<Impact>(`/application_grant/impact/?${query}`)
}
const accounts = async (...asked: Parameters<typeof impact>) => {
  const { data } = await impact(...asked)
  expect(data.total).toBe(data.people.length)
  return data.people.map(({ account }) => account)
}

test('before a grant it is shown who would gain the application: nobody twice, and nobody who has it already', async () => {
  expect(await accounts('give', 'one', 'cs')).toEqual(['chief', 'lilei', 'meng'])
  expect(await accounts('give', 'one', 'cs', 'lab', 'student')).toEqual(['chief', 'lilei', 'meng'])
  await school.bind('student', { appIds: ['one'] })
  expect(await accounts('give', 'one', 'cs')).toEqual(['chief'])
  expect(await accounts('give', 'open', 'cs')).toEqual([])
})

test('before a withdrawal it is shown who would lose the application: nobody with another path, or who never had it', async () => {
  await school.bind('cs', { appIds: ['one'] })
  await school.bind('lilei', { appIds: ['one'] })
  await school.bind('art', { appIds: ['one'], validFrom: school.at(2) })
  expect(await accounts('withdraw', 'one', 'cs')).toEqual(['chief', 'meng'])
  expect(await accounts('withdraw', 'one', 'cs', 'lilei')).toEqual(['chief', 'lilei', 'meng'])
  expect(await accounts('withdraw', 'one', 'art')).toEqual([])
  expect(await accounts('withdraw', 'two', 'cs')).toEqual([])
})

test('an impact can only be requested for existing members and applications', async () => {
  expect(refusal(await impact('give', 'one', UNKNOWN))).toEqual([404, 'application-grant.member-not-found'])
  expect(refusal(await impact('give', 'nothing', 'cs'))).toEqual([404, 'application-grant.application-not-found'])
  expect((await impact('give', 'one', 'x')).envelope.code).toBe('request.invalid')
})
