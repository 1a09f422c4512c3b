import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { SftpServer } from '../server/testing/sftp.ts'
import { openSyncForm } from './directory-syncs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const PEOPLE = [...Array(25)].map((_, at) => ({ no: `R${at}`, person: { name: `Rest ${at}` } }))

const ADDRESS = '/auth_web/manage/external-data-source'

/** An API on a port of its own; `false`: it refuses the login. */
async function serve(answer: (request: IncomingMessage, parameters: URLSearchParams) => object | false) {
  const other = createServer((request, response) => {
    const document = answer(request, new URL(request.url ?? '', 'http://localhost').searchParams)
    response.writeHead(document ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  return { other, port: (other.address() as AddressInfo).port }
}

async function openForm(page: Page, name: string, kind: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New data source' }).click()
  const form = page.getByRole('dialog', { name: 'New data source' })
  await form.getByLabel('Name', { exact: true }).fill(name)
  await choose(form.getByLabel('Type', { exact: true }), kind)
  return form
}

test('a REST source is set up, shows the fields of its options, and is read page by page', async ({ page, logIn }) => {
  const { other, port } = await serve(({ headers, url }, parameters) => {
    const from = (Number(parameters.get('page')) - 1) * 10
    const isPermitted = headers['x-api-key'] === 'a-key' && url?.startsWith('/people') === true
    return isPermitted && { total: PEOPLE.length, rows: PEOPLE.slice(from, from + 10) }
  })
  await logIn(page, 'root', ADDRESS)
  const form = await openForm(page, 'Personnel interface', 'REST interface')
  await form.getByLabel('People URL').fill(`http://127.0.0.1:${port}/people`)
  await form.getByLabel('Departments URL').fill(`http://127.0.0.1:${port}/departments`)
  await expect(form.getByLabel('Secret')).toHaveCount(0)
  await choose(form.getByLabel('Authentication'), 'Key in a header')
  await form.getByLabel('Header name').fill('X-API-Key')
  await form.getByLabel('Secret').fill('a-key')
  await form.getByLabel('Path to the rows').fill('rows')
  await choose(form.getByLabel('Paging', { exact: true }), 'By page number')
  await form.getByLabel('Page parameter', { exact: true }).fill('page')
  await form.getByLabel('Path to the number of rows').fill('total')
  await form.getByRole('button', { name: 'Save and test' }).click()
  const tester = page.getByRole('dialog', { name: 'Test Personnel interface' })
  // One table can't be read: where the test stopped is said in words too, and the other one can be chosen.
  await choose(tester.getByLabel('Table or view'), 'Departments')
  await expect(tester.getByRole('listitem').filter({ hasText: 'stopped here' })).toHaveCount(1)
  await choose(tester.getByLabel('Table or view'), 'People')
  await expect(tester.getByText('25 rows, the first ones below')).toBeVisible()
  await expect(tester.getByLabel('Table or view')).toBeFocused()
  await expect(tester.getByRole('columnheader', { name: 'person.name' })).toBeVisible()
  await tester.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('row', { name: /Personnel interface/ })).toContainText(`127.0.0.1:${port}/people`)
  await page.getByRole('button', { name: 'Delete Personnel interface' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Personnel interface deleted')).toBeVisible()
  other.close()
})

test('a SCIM source asks for its address and token, and shows attributes as columns', async ({ page, logIn }) => {
  const people = [...Array(12)].map((_, at) => ({
    ...{ id: `I${at}`, userName: `scim${at}`, emails: [{ type: 'work', value: `scim${at}@example.edu` }] },
    meta: { lastModified: '2026-11-01T00:00:00Z' },
  }))
  const { other, port } = await serve(({ headers }, parameters) => {
    const from = Number(parameters.get('startIndex') ?? 1) - 1
    const list = { totalResults: people.length, Resources: people.slice(from, from + 10) }
    return headers.authorization === 'Bearer a-token' && list
  })
  await logIn(page, 'root', ADDRESS)
  const form = await openForm(page, 'Personnel SCIM', 'SCIM 2.0')
  await form.getByLabel('SCIM base URL').fill(`http://127.0.0.1:${port}/scim/v2`)
  await expect(form.getByLabel('User filter')).toBeVisible()
  await expect(form.getByLabel('Paging', { exact: true })).toHaveCount(0)
  await form.getByLabel('Secret').fill('a-token')
  await form.getByRole('button', { name: 'Save and test' }).click()
  const tester = page.getByRole('dialog', { name: 'Test Personnel SCIM' })
  await choose(tester.getByLabel('Table or view'), 'People')
  await expect(tester.getByText('12 rows, the first ones below')).toBeVisible()
  await expect(tester.getByRole('columnheader', { name: 'emails[type eq "work"].value' })).toBeVisible()
  await tester.getByRole('button', { name: 'Close' }).last().click()
  const row = page.getByRole('row', { name: /Personnel SCIM/ })
  await expect(row).toContainText(`127.0.0.1:${port}/scim/v2`)
  await row.getByRole('button', { name: 'Personnel SCIM', exact: true }).click()
  await expect(page.getByText('Bearer token')).toBeVisible()
  const sync = await openSyncForm(page, { source: 'Personnel SCIM', sync: 'SCIM people' })
  await choose(sync.getByLabel('Table or view', { exact: true }), 'People')
  await sync.getByLabel('Change column').click()
  await expect(page.getByRole('option')).toHaveText(['None: every run reads everything', 'meta.lastModified'])
  await page.goto(ADDRESS)
  await page.getByRole('button', { name: 'Delete Personnel SCIM' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Personnel SCIM deleted')).toBeVisible()
  other.close()
})

test('a file over SFTP is read once the host key is confirmed', async ({ page, logIn }) => {
  const sftp = new SftpServer()
  await sftp.start()
  sftp.put('/out/people-2026.csv', 'no,name\nS1,Somebody\nS2,Else\n')
  await logIn(page, 'root', ADDRESS)
  const form = await openForm(page, 'Personnel export', 'File over SFTP')
  await form.getByLabel('Host', { exact: true }).fill('127.0.0.1')
  await form.getByLabel('Port').fill(String(sftp.port))
  await form.getByLabel('User').fill(sftp.user)
  await choose(form.getByLabel('Authentication'), 'Private key')
  await form.getByRole('textbox', { name: 'Private key' }).fill(sftp.userKeys.private)
  await form.getByLabel('Path').fill('/out/people-*.csv')
  await form.getByRole('button', { name: 'Save and test' }).click()
  const tester = page.getByRole('dialog', { name: 'Test Personnel export' })
  await expect(tester.getByText("The server's host key hasn't been confirmed yet.")).toBeVisible()
  expect(sftp.tried).toEqual([])
  await tester.getByRole('button', { name: 'Confirm key and test' }).click()
  await expect(tester.getByText('2 rows, the first ones below')).toBeVisible()
  await expect(tester.getByRole('columnheader', { name: 'name' })).toBeVisible()
  // The list behind knows of the confirmed key already, however long its next answer takes.
  let answer = () => {}
  const awaited = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/data_source/query/**', async (route) => {
    await awaited
    await route.continue()
  })
  await tester.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Delete Personnel export' }).click()
  answer()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Personnel export deleted')).toBeVisible()
  await sftp.stop()
})
