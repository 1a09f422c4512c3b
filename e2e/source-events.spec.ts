import { qywxEvents } from '../tools/simulators/events.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'
import { holdFirst } from './hold-first.ts'

test('events of an address book are set up beside its source, and the page tells when the vendor has tried the address', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/external-data-source')
  await page.getByRole('button', { name: 'New data source' }).click()
  const form = page.getByRole('dialog', { name: 'New data source' })
  await form.getByLabel('Name', { exact: true }).fill('Address book')
  await choose(form.getByLabel('Type', { exact: true }), 'WeCom address book')
  await form.getByLabel('CorpID').fill('ww1234567890abcdef')
  await form.getByLabel('Secret').fill('nothing-secret')
  await form.getByRole('button', { name: 'Save and test' }).click()
  await page.getByRole('dialog', { name: 'Test Address book' }).getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Address book', exact: true }).click()
  await page.getByRole('tab', { name: 'Events' }).click()
  await expect(page.getByText('Never', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Set up events' }).click()
  await page.getByRole('dialog', { name: 'Receive events' }).getByRole('button', { name: 'Set up events' }).click()
  const issued = page.getByRole('dialog', { name: 'Token and key created' })
  await expect(issued.locator('dd code')).toHaveCount(3)
  const [url = '', token = '', aesKey = ''] = await issued.locator('dd code').allTextContents()
  await issued.getByRole('button', { name: 'I have saved it' }).click()
  const sender = qywxEvents({ url, token, aesKey, receiver: 'ww1234567890abcdef' }, () => new Date())
  expect(await sender.echo()).toBe(true)
  await page.reload()
  await expect(page.getByText('Address last verified by the provider')).toBeVisible()
  await expect(page.getByText('Never', { exact: true })).toHaveCount(0)
  // The page can't be read again just then: the token is shown all the same, as it never is again.
  let failed = 0
  await page.route(/\/data_source\/[^/]+\/events\/(\?|$)/, (route) => {
    failed += 1
    return route.fulfill({ status: 500 })
  })
  await page.getByRole('button', { name: 'New token and key' }).click()
  const question = page.getByRole('dialog', { name: 'Receive events' })
  const release = await holdFirst(page, '**/events/set_up/**')
  await question.getByRole('button', { name: 'Set up events' }).click()
  // Nor is it lost with a dialog that was left because the answer is slow.
  await expect(question.getByText('Working…')).toBeVisible()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click({ force: true })
  await expect(question).toBeVisible()
  release()
  await expect(issued.locator('dd code')).toHaveCount(3)
  expect(failed).toBeGreaterThan(0)
  await issued.getByRole('button', { name: 'I have saved it' }).click()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Stop receiving events' }).click()
  await page
    .getByRole('dialog', { name: 'Stop receiving' })
    .getByRole('button', { name: 'Stop receiving events' })
    .click()
  await expect(page.getByRole('button', { name: 'Set up events' })).toBeVisible()
  expect(await sender.echo()).toBe(false)
})
