import { expect, test } from 'vitest'
import { testServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

test('anyone may ask which languages there are; each is named in itself, in the order of the institution', async () => {
  const server = await testServer()
  const answer = (await (await signedFetch(server, '/language/')).json()) as { data: unknown }
  expect(answer.data).toEqual([
    { code: 'zh_CN', name: '简体中文' },
    { code: 'zh_TW', name: '繁體中文' },
    { code: 'en', name: 'English' },
  ])
})

test('the translated messages of a language come as a list whose first entry carries the code', async () => {
  const server = await testServer()
  const answer = await signedFetch(server, '/language/messages/?language=zh_TW&firstType=0')
  const { data } = (await answer.json()) as { data: { code: string; messages: Record<string, string> }[] }
  expect(data).toHaveLength(1)
  expect(data[0]?.code).toBe('zh_TW')
  expect(data[0]?.messages['my-apps.title']).toBe('我的應用程式')
})

test('an unknown language is refused', async () => {
  const server = await testServer()
  expect((await signedFetch(server, '/language/messages/?language=xx')).status).toBe(400)
})
