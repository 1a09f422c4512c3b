import { expect, test } from 'vitest'
import { testServer } from '../../testing/server.ts'
import { insertPublicFile } from './files.store.ts'
import { fileUrl } from './index.ts'

test('a picture is served as its own type, in a sandbox, and never as anything else', async () => {
  const { url, platform } = await testServer()
  const id = '0192f000-0000-7000-8000-000000000001'
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const file = { id, purpose: 'institution', contentType: 'image/png', bytes, at: platform.now() }
  await insertPublicFile(platform.sql, file)
  const { status, headers } = await fetch(url + fileUrl(id))
  expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
    200,
    'image/png',
    'nosniff',
  ])
  const policy = headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", 'sandbox']))
})
