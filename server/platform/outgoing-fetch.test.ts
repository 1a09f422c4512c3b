import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createOutgoingFetch, isForbiddenAddress, shareLookups } from './outgoing-fetch.ts'

const never = [
  '169.254.169.254',
  '169.254.0.1',
  '0.0.0.0',
  '::',
  'fe80::1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
]
const others = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', '224.0.0.1', '255.255.255.255', 'no address']

test.each([...never, ...others])('%s is never called', (address) => {
  expect(isForbiddenAddress(address)).toBe(true)
})

test.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.9', '203.0.112.1', '2400:3200::1'])(
  '%s is left to the allow list of the caller',
  (address) => {
    expect(isForbiddenAddress(address)).toBe(false)
  },
)

test.each(['http://169.254.169.254/', 'http://0xa9fea9fe/', 'http://[::ffff:a9fe:a9fe]/', 'http://2852039166/'])(
  'no spelling of a metadata address is connected to: %s',
  async (url) => {
    await expect(createOutgoingFetch()(url)).rejects.toThrow('never called')
  },
)

test('a name is judged by what it resolves to, and an ordinary one is called', async () => {
  const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  const answer = await createOutgoingFetch()(`http://localhost:${port}/`)
  expect(await answer.text()).toBe('hello')
})

test('a name whose server is silent is asked for once, however many wait for it, and nobody else waits with them', () => {
  const asked: [string, Parameters<LookupFunction>[2]][] = []
  const look = shareLookups((hostname, _options, callback) => void asked.push([hostname, callback]))
  const told: string[] = []
  const tell = (who: string) => (error: Error | null) => void told.push(`${who} ${error?.message ?? 'well'}`)
  for (const who of ['ada', 'bob', 'eve']) look('silent.example', { all: true }, tell(who))
  look('other.example', { all: true }, tell('tom'))
  expect(asked.map(([hostname]) => hostname)).toEqual(['silent.example', 'other.example'])
  asked[1]?.[1](null, '192.0.2.1', 4)
  expect(told).toEqual(['tom well'])
  asked[0]?.[1](new Error('timed out'), '', 0)
  expect(told.slice(1)).toEqual(['ada timed out', 'bob timed out', 'eve timed out'])
  // What was answered is asked for anew: a name may have moved since.
  look('silent.example', { all: true }, tell('ada'))
  expect(asked).toHaveLength(3)
})

test('an answer is cut off at 1 MiB, or at the caller’s limit, and an endless one in any case', async () => {
  const sizes: Record<string, number> = { '/small': 1000, '/large': 1024 * 1024 * 2 }
  const server = createServer((request, response) => {
    const size = sizes[request.url ?? '']
    if (size) return response.end(Buffer.alloc(size))
    response.on('drain', () => response.write(Buffer.alloc(65536)))
    response.write(Buffer.alloc(1024 * 1024 * 2))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  const outgoing = createOutgoingFetch()
  const bytes = async (path: string, maxResponseBytes?: number) => {
    const init = maxResponseBytes === undefined ? {} : { maxResponseBytes }
    return (await (await outgoing(`http://127.0.0.1:${port}${path}`, init)).arrayBuffer()).byteLength
  }
  await expect(bytes('/endless')).rejects.toThrow()
  await expect(bytes('/large')).rejects.toThrow()
  expect(await bytes('/large', 4 * 1024 * 1024)).toBe(2 * 1024 * 1024)
  await expect(bytes('/endless', 4 * 1024 * 1024)).rejects.toThrow()
  await expect(bytes('/small', 100)).rejects.toThrow()
  expect(await bytes('/small')).toBe(1000)
})
