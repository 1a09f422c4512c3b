import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_QUESTIONS } from '#shared/contract/security-questions.ts'
import { systemContext } from '../../platform/platform.ts'
import { mergeSettings } from '../../platform/settings.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { callAs } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { hashAnswers, listQuestions, saveAnswers, verifyAnswers } from './index.ts'

let server: TestServer
let lilei: string
beforeAll(async () => {
  server = await startTestServer()
  lilei = await addPerson(server, { account: 'lilei' })
  const ctx = systemContext(server.platform)
  await saveAnswers(ctx, lilei, await hashAnswers(ctx, RIGHT))
})
afterAll(() => server.close())

const RIGHT = [
  { question: 'first-school', answer: 'Red Hill' },
  { question: 'first-pet', answer: '小白' },
  { question: 'birth-town', answer: '成都' },
]
const WRONG = RIGHT.map((given, at) => (at === 2 ? { ...given, answer: '重庆' } : given))

const ctx = () => systemContext(server.platform)
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'right',
    (error: { code: string }) => error.code,
  )

test('anybody may see the questions to choose from, in their language', async () => {
  const read = async (language: string) =>
    await callAs<{ questions: { code: string; text: string }[]; count: number }>(
      server,
      createBrowser(server),
      '/security_question/list/',
      { headers: { 'accept-language': language } },
    )
  const { data } = await read('en')
  expect(data.count).toBe(3)
  expect(data.questions.map(({ code }) => code)).toEqual([...SHIPPED_QUESTIONS])
  expect(data.questions[0]?.text).toBe('What was the name of your first school?')
  expect((await read('zh-TW')).data.questions[0]?.text).toBe('您就讀的第一所學校叫什麼？')
})

test('the institution can word its own questions and remove ours', async () => {
  const own = [
    { code: 'first-school' },
    { code: 'first-pet', names: { en: 'Your first cat?' } },
    { code: 'mentor', names: { zh_CN: '您的导师？' } },
  ]
  await mergeSettings({ ...server.platform, db: server.platform.sql }, 'securityQuestions', { questions: own })
  const { data } = await callAs<{ questions: unknown }>(server, createBrowser(server), '/security_question/list/')
  expect(data.questions).toMatchObject([
    { code: 'first-school' },
    { code: 'first-pet', text: 'Your first cat?' },
    { code: 'mentor', text: '您的导师？' },
  ])
  await mergeSettings({ ...server.platform, db: server.platform.sql }, 'securityQuestions', {
    questions: SHIPPED_QUESTIONS.map((code) => ({ code })),
  })
})

test('answers are stored as hashes and compared ignoring case, width and space', async () => {
  const rows = await server.platform.sql`select answer_hash from security_answers where user_id = ${lilei}`
  for (const row of rows) expect(row['answerHash']).toMatch(/^\$argon2id\$/)
  const same = [
    { question: 'birth-town', answer: ' 成都　' },
    { question: 'first-school', answer: 'ｒｅｄ  HILL' },
    { question: 'first-pet', answer: '小白' },
  ]
  expect(await refusal(verifyAnswers(ctx(), { userId: lilei, name: 'lilei' }, same))).toBe('right')
})

test.each([
  ['two answers', RIGHT.slice(0, 2)],
  ['one answer three times', [RIGHT[0], RIGHT[0], RIGHT[0]]],
  ['no answer', []],
  ['one wrong answer', WRONG],
])('%s are not enough', async (_, given) => {
  const asked = { userId: lilei, name: 'lilei' }
  expect(await refusal(verifyAnswers(ctx(), asked, given as typeof RIGHT))).toBe('security-questions.wrong')
  expect(await refusal(verifyAnswers(ctx(), asked, RIGHT))).toBe('right')
})

test.each([
  ['somebody', 'hanmeimei'],
  ['nobody', 'nobody-at-all'],
])('after five wrong attempts at %s nothing is verified any more, until the wait is over', async (who, name) => {
  const userId = who === 'nobody' ? null : await addPerson(server, { account: name })
  if (userId) await saveAnswers(ctx(), userId, await hashAnswers(ctx(), RIGHT))
  const codes: string[] = []
  for (let i = 0; i < 6; i += 1) codes.push(await refusal(verifyAnswers(ctx(), { userId, name }, WRONG)))
  const wrong = 'security-questions.wrong'
  const stop = 'security-questions.too-many-attempts'
  expect(codes).toEqual([wrong, wrong, wrong, wrong, stop, stop])
  expect(await refusal(verifyAnswers(ctx(), { userId, name }, RIGHT))).toBe(stop)
  server.advance(16 * 60)
  expect(await refusal(verifyAnswers(ctx(), { userId, name }, RIGHT))).toBe(userId ? 'right' : wrong)
})

test('sixty simultaneous guesses get no more verifications than five in a row', async () => {
  const userId = await addPerson(server, { account: 'crowd' })
  await saveAnswers(ctx(), userId, await hashAnswers(ctx(), RIGHT))
  const tries = Array.from({ length: 60 }, () => refusal(verifyAnswers(ctx(), { userId, name: 'crowd' }, WRONG)))
  const codes = await Promise.all(tries)
  expect(codes.filter((code) => code === 'security-questions.wrong').length).toBeLessThanOrEqual(4)
})

test('a name without questions gets three from the list, always the same ones', async () => {
  const first = await listQuestions(ctx(), { userId: null, name: 'nobody' })
  expect(first).toHaveLength(3)
  expect(new Set(first.map(({ code }) => code)).size).toBe(3)
  for (const { code } of first) expect(SHIPPED_QUESTIONS).toContain(code)
  expect(await listQuestions(ctx(), { userId: null, name: 'nobody' })).toEqual(first)
  const without = await addPerson(server, { account: 'without' })
  expect(await listQuestions(ctx(), { userId: without, name: 'nobody' })).toEqual(first)
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, at) => listQuestions(ctx(), { userId: null, name: `nobody-${at}` })),
  )
  expect(new Set(others.map((questions) => questions.map(({ code }) => code).join())).size).toBeGreaterThan(10)
})

test.each([
  ['security-questions.same-question', [RIGHT[0], { ...RIGHT[0], answer: 'another' }, RIGHT[2]]],
  ['security-questions.same-answer', [RIGHT[0], { question: 'first-pet', answer: 'RED hill' }, RIGHT[2]]],
  ['security-questions.answer-too-short', [RIGHT[0], { question: 'first-pet', answer: ' x ' }, RIGHT[2]]],
  ['security-questions.unknown-question', [RIGHT[0], { question: 'shoe-size', answer: 'forty' }, RIGHT[2]]],
])('%s: rejected before anything is hashed', async (code, answers) => {
  expect(await refusal(hashAnswers(ctx(), answers as typeof RIGHT))).toBe(code)
})
