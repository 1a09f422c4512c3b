import { expect, test } from 'vitest'
import { addCasApplication, changeApplication } from '../../testing/people.ts'
import { testServer } from '../../testing/server.ts'
import { findApplicationByService } from './index.ts'

test('a service belongs to the application with the longest registered address that covers it, on its own origin only', async () => {
  const server = await testServer()
  const add = (appId: string, serviceUrls: string[]) => addCasApplication(server, { appId, serviceUrls })
  await add('whole', ['https://school.test/**'])
  await add('folder', ['https://school.test/library/**', 'https://other.test/**'])
  await add('page', ['https://school.test/library/desk?x=1'])
  await add('port', ['https://school.test:8443/library/**'])
  await add('plain', ['http://school.test/**'])
  const of = async (service: string) => (await findApplicationByService(server.platform, service))?.appId ?? null
  const expected = {
    'https://school.test/': 'whole',
    'https://school.test': 'whole',
    'https://school.test/libraryX': 'whole',
    'https://school.test/library': 'folder',
    'https://SCHOOL.test:443/library/desk': 'folder',
    'https://school.test/library/desk?x=1': 'page',
    // An exact address covers no fragment; the folder does.
    'https://school.test/library/desk?x=1#top': 'folder',
    'https://school.test:8443/library/': 'port',
    'https://school.test:8443/': null,
    'http://school.test/library/': 'plain',
    'https://other.test/a': 'folder',
    'https://sub.other.test/': null,
  }
  const found = Object.fromEntries(await Promise.all(Object.keys(expected).map(async (one) => [one, await of(one)])))
  expect(found).toEqual(expected)
  await changeApplication(server, 'folder', { service_urls: ['https://moved.test/**'] })
  expect([await of('https://school.test/library/'), await of('https://moved.test/')]).toEqual(['whole', 'folder'])
})
