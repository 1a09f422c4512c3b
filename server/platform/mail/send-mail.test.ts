import { createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../testing/authority.ts'
import { freePort } from '../../testing/free-port.ts'
import { type MailServer as Arrivals, startMailServer } from '../../testing/mail-server.ts'
import { type MailServer, sendMail } from './send-mail.ts'

const authority = createAuthority()
const stranger = createAuthority()
const trusted = getCACertificates('default')

beforeAll(() => setDefaultCACertificates([...trusted, authority.certificate]))
afterAll(() => setDefaultCACertificates(trusted))

const LOGIN = { user: 'portal', password: 'Mail-secret-1' }

const letter = {
  id: '0193-same-every-time',
  from: { name: '示范大学 "IT"', address: 'portal@school.test' },
  to: 'lilei@example.edu',
  subject: '您的验证码',
  text: 'plain 内容',
  html: '<p>rich 内容</p>',
  language: 'zh-CN',
}

async function mailServer(options: Parameters<typeof startMailServer>[0] = {}): Promise<Arrivals> {
  const server = await startMailServer(options)
  onTestFinished(() => server.close())
  return server
}

const send = (port: number, server: Partial<MailServer> = {}) =>
  sendMail({ host: '127.0.0.1', port, security: 'none', user: '', password: '', ...server }, letter)

test.each([
  ['STARTTLS', 'starttls', false],
  ['TLS from the first byte', 'tls', true],
] as const)(
  'with %s login and content use an encrypted connection whose certificate is verified',
  async (_n, security, implicit) => {
    const server = await mailServer({ tls: { ...authority.issue(), implicit }, login: LOGIN })
    expect(await send(server.port, { security, ...LOGIN, host: 'localhost' })).toMatchObject({ sent: true })
    const [arrived] = server.arrived
    expect(arrived).toMatchObject({
      secure: true,
      user: 'portal',
      from: 'portal@school.test',
      to: ['lilei@example.edu'],
    })
    expect(arrived?.mail).toMatchObject({
      subject: '您的验证码',
      from: { name: '示范大学 "IT"', address: 'portal@school.test' },
      messageId: '<0193-same-every-time@school.test>',
      html: expect.stringContaining('<p>rich 内容</p>'),
      text: expect.stringContaining('plain 内容'),
    })
  },
)

test.each([
  ['of an unknown issuer', () => stranger.issue()],
  ['that has expired', () => authority.issue({ expired: true })],
])('a certificate %s ends the attempt before anything is sent', async (_name, issue) => {
  for (const implicit of [true, false]) {
    const server = await mailServer({ tls: { ...issue(), implicit }, login: LOGIN })
    const outcome = await send(server.port, { security: implicit ? 'tls' : 'starttls', ...LOGIN })
    expect(outcome).toMatchObject({ sent: false, reason: 'certificate' })
    expect(server.arrived).toHaveLength(0)
  }
})

test('a server without STARTTLS gets no password if encryption is required', async () => {
  const server = await mailServer({ login: LOGIN })
  expect(await send(server.port, { security: 'starttls', ...LOGIN })).toMatchObject({
    sent: false,
    reason: 'no-encryption',
  })
})

test('encryption from the first byte on a port that begins without it is reported as such', async () => {
  const server = await mailServer({ login: LOGIN })
  const outcome = await send(server.port, { security: 'tls', ...LOGIN })
  expect(outcome).toMatchObject({ sent: false, reason: 'no-encryption', words: 'wrong version number' })
})

test('a wrong password is reported as such', async () => {
  const server = await mailServer({ login: LOGIN })
  const outcome = await send(server.port, { user: 'portal', password: 'wrong' })
  expect(outcome).toMatchObject({ sent: false, reason: 'credentials', code: '535' })
})

test.each([
  ['an unknown recipient', { refuseRecipient: () => ({ code: 550, text: 'no such user' }) }, 'recipient'],
  ['greylisting', { refuseRecipient: () => ({ code: 450, text: 'try again later' }) }, 'deferred'],
  ['an overloaded server', { refuseContent: () => ({ code: 451, text: 'local error' }) }, 'busy'],
  ['a closing server', { refuseRecipient: () => ({ code: 421, text: 'closing' }) }, 'busy'],
  ['refused content', { refuseContent: () => ({ code: 554, text: 'looks like spam' }) }, 'content'],
])('%s is distinguished from the rest', async (_name, options, reason) => {
  const server = await mailServer(options)
  expect(await send(server.port)).toMatchObject({ sent: false, reason })
})

test('an address without a server, with another server, and a metadata address are no mail servers', async () => {
  expect(await send(await freePort())).toMatchObject({ sent: false, reason: 'connection-refused' })
  const sockets = new Set<Socket>()
  const web = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    web.close()
  })
  const address = web.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(await send(port)).toMatchObject({ sent: false })
  expect(await send(25, { host: '169.254.169.254' })).toMatchObject({
    sent: false,
    words: expect.stringContaining('never called'),
  })
})

test('a line break in a name or an address adds no header and no second recipient', async () => {
  const server = await mailServer()
  const outcome = await sendMail(
    { host: '127.0.0.1', port: server.port, security: 'none', user: '', password: '' },
    { ...letter, from: { ...letter.from, name: 'School\r\nBcc: evil@example.net' }, subject: 'Hi\r\nX-Evil: 1' },
  )
  expect(outcome).toMatchObject({ sent: true })
  expect(server.arrived[0]?.to).toEqual(['lilei@example.edu'])
  expect(server.arrived[0]?.mail.headers.map(({ key }) => key)).not.toContain('x-evil')
  expect(server.arrived[0]?.mail.bcc).toBeUndefined()
  const two = await sendMail(
    { host: '127.0.0.1', port: server.port, security: 'none', user: '', password: '' },
    { ...letter, to: 'a@example.edu, evil@example.net' },
  )
  expect(two).toMatchObject({ sent: false })
})
