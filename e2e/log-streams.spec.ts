import { createServer, type Server, type Socket } from 'node:net'
import type { LogStream } from '#shared/contract/log-streams.ts'
import { callerAs } from './back-office.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/log-streams'

/** A syslog receiver that can be away. */
function createCollector() {
  let server: Server | undefined
  let open: Socket[] = []
  let text = ''
  return {
    text: () => text,
    async listen(port: number): Promise<number> {
      server = createServer((socket) => {
        open.push(socket)
        socket.on('data', (data) => (text += data.toString('utf8')))
        socket.on('error', () => {})
      })
      await new Promise<void>((done) => server?.listen(port, '127.0.0.1', done))
      const address = server.address()
      return typeof address === 'object' && address ? address.port : 0
    },
    async close() {
      for (const socket of open) socket.destroy()
      open = []
      await new Promise((done) => server?.close(done))
    },
  }
}

test('a log stream is set up, tested, shows what waits while its receiver is away, and continues', async ({
  page,
  logIn,
}) => {
  const collector = createCollector()
  const port = await collector.listen(0)
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'New log stream' }).click()
  const form = page.getByRole('dialog', { name: 'New log stream' })
  await form.getByLabel('Name', { exact: true }).fill('Collector')
  await choose(form.getByLabel('Encryption'), 'None')
  await form.getByLabel('Port').fill(String(port))
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByLabel('Host')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Host').fill('127.0.0.1')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Collector has been saved.')).toBeVisible()

  await page.getByRole('button', { name: 'Collector', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Collector' })
  await drawer.getByRole('button', { name: 'Send a test record' }).click()
  await expect(drawer.getByText('The test record has arrived.')).toBeVisible()
  // The line of its own creation is sent too.
  await expect.poll(() => collector.text(), { timeout: 60_000 }).toContain('action="log-stream.create"')
  await expect(drawer.getByRole('row', { name: /^Audit records [1-9]/ })).toBeVisible()

  await collector.close()
  await drawer.getByRole('button', { name: 'Send a test record' }).click()
  await expect(drawer.getByText('Nothing accepts connections at this host and port.').first()).toBeVisible()
  await drawer.getByRole('button', { name: 'Send again or skip …' }).click()
  const move = page.getByRole('dialog', { name: 'Send again or skip: Collector' })
  await move.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Escape')
  await page.request.post('/fwk_cas_service/login', { form: { username: 'zhaoliu', password: 'while-it-is-away' } })
  await expect(page.getByRole('row', { name: /Collector/ })).toContainText('Failing', { timeout: 60_000 })
  await collector.listen(port)
  await expect.poll(() => collector.text(), { timeout: 60_000 }).toContain('account="zhaoliu"')

  await page.getByRole('button', { name: 'Delete Collector' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Collector has been deleted.')).toBeVisible()
  await collector.close()
})

test('the form of a log stream refuses nothing that it hides, and words what somebody else changed', async ({
  page,
  logIn,
  school,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'New log stream' }).click()
  const form = page.getByRole('dialog', { name: 'New log stream' })
  await choose(form.getByLabel('Type'), 'HTTPS endpoint')
  await expect(form.getByLabel('Signing secret')).toHaveAccessibleDescription(/At least 16 characters/)
  await choose(form.getByLabel('Type'), 'Syslog')
  await form.getByLabel('Name', { exact: true }).fill('Worded')
  await form.getByLabel('Host').fill('127.0.0.1')
  await form.getByLabel('Custom certificate authority').fill('no certificate')
  await choose(form.getByLabel('Encryption'), 'None')
  await form.getByRole('switch', { name: 'Enabled' }).press('Space')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Worded has been saved.')).toBeVisible()

  // Nobody asks for what an open drawer refreshes by itself.
  const refreshed = page.waitForRequest(
    (one) => one.url().includes('/log_stream/') && one.headers()['x-background'] === '1',
  )
  await page.getByRole('button', { name: 'Worded', exact: true }).click()
  await refreshed
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Edit Worded' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit log stream Worded' })
  await edited.getByLabel('Note').fill('mine')
  const call = await callerAs(school.url, 'root')
  const { records } = await call<{ records: LogStream[] }>('/log_stream/query/')
  const stream = records.find(({ name }) => name === 'Worded')
  const changed = { logs: ['login'], enabled: false, host: '127.0.0.1', tls: 'verify', facility: 16 }
  await call(`/log_stream/${stream?.id}/update/`, {
    version: stream?.version,
    name: 'Worded',
    kind: 'syslog',
    ...changed,
  })
  await edited.getByRole('button', { name: 'Save' }).click()
  const conflict = edited.getByRole('alert')
  await expect(conflict.getByRole('row', { name: 'Encryption None TLS, certificate verified' })).toBeVisible()
  await expect(conflict.getByRole('row', { name: 'Facility 13 audit 16 local0' })).toBeVisible()
})
