import type { Page } from '@playwright/test'
import { callerAs } from './back-office.ts'
import { expect, type School, test } from './fixtures.ts'

const FIRST = 'What it was meant to say'
const MISTAKE = 'What it says by mistake'

const description = (page: Page) => page.locator('textarea[name=description]')
const dialog = (page: Page) => page.getByRole('dialog')
const changes = (page: Page) => page.getByRole('list', { name: 'Change history' }).getByRole('listitem')

/** An application whose description was changed through the API after creation. @returns its id. */
async function changedApplication({ url }: School, appId: string) {
  const call = await callerAs(url, 'root')
  const { id } = await call('/application_manage/create/', {
    appId,
    name: `The ${appId}`,
    description: FIRST,
    protocol: 'cas',
    type: 'whitelist',
    serviceUrls: [`https://${appId}.test/**`],
  })
  const say = async (text: string) => {
    const { version } = await call(`/application_manage/${id}/details/`)
    await call(`/application_manage/${id}/update/`, { version, changes: { description: text } })
  }
  return { path: `/auth_web/manage/application-manage/detail-set/${id}`, say }
}

/** Opens the latest change and requests a rollback. */
async function askBack(page: Page): Promise<void> {
  const change = changes(page).first()
  await change.getByRole('button', { name: 'Application changed' }).click()
  await expect(change.getByRole('table')).toContainText(MISTAKE)
  await expect(change.getByRole('table')).toContainText(FIRST)
  await change.getByRole('button', { name: 'Undo this change' }).click()
  await expect(dialog(page).getByRole('table')).toContainText(FIRST)
}

test('a setting changed by mistake is found in the history, previewed and rolled back', async ({
  page,
  school,
  logIn,
}) => {
  const { path } = await changedApplication(school, 'annals')
  await logIn(page, 'root', `${path}?tab=basic`)
  await expect(description(page)).toHaveValue(FIRST)
  await description(page).fill(MISTAKE)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  await page.getByRole('tab', { name: 'History' }).click()
  await askBack(page)
  await dialog(page).getByLabel('Reason').fill('Nobody asked for this')
  await dialog(page).getByRole('button', { name: 'Roll back' }).click()
  await expect(page.getByText('Rolled back', { exact: true })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(changes(page).first()).toContainText('Rolled back to an earlier state')
  await expect(changes(page).first()).toContainText('Nobody asked for this')

  await page.getByRole('tab', { name: 'Basic', exact: true }).click()
  await expect(description(page)).toHaveValue(FIRST)
  await page.reload()
  await expect(description(page)).toHaveValue(FIRST)
})

test('cancelling a rollback changes nothing', async ({ page, school, logIn }) => {
  const { path, say } = await changedApplication(school, 'yearbook')
  await say(MISTAKE)
  await logIn(page, 'root', `${path}?tab=history`)
  await askBack(page)
  await dialog(page).getByLabel('Reason').fill('Perhaps')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  // Input is not lost by accident.
  await page.getByRole('button', { name: 'Stay on the page' }).click()
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('Perhaps')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.reload()
  await expect(changes(page)).toHaveCount(2)
  await page.getByRole('tab', { name: 'Basic', exact: true }).click()
  await expect(description(page)).toHaveValue(MISTAKE)
})

test('a rollback overtaken by another change shows what it would change now, and continues from there', async ({
  page,
  school,
  logIn,
}) => {
  const { path, say } = await changedApplication(school, 'logbook')
  await say(MISTAKE)
  await logIn(page, 'root', `${path}?tab=history`)
  await askBack(page)
  await say('What somebody else says meanwhile')
  await dialog(page).getByLabel('Reason').fill('Nobody asked for this')
  await dialog(page).getByRole('button', { name: 'Roll back' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Someone else changed this in the meantime')
  await expect(dialog(page).getByRole('table')).toContainText('What somebody else says meanwhile')
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('Nobody asked for this')
  await dialog(page).getByRole('button', { name: 'Roll back' }).click()
  await expect(page.getByText('Rolled back', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Basic', exact: true }).click()
  await expect(description(page)).toHaveValue(FIRST)
})

test('the history says in words why a request of an application was refused', async ({ page, logIn }) => {
  test.slow()
  await logIn(page, 'root')
  const address = encodeURIComponent('https://unheard-of.test/')
  const refused = page.getByRole('listitem').filter({ hasText: 'https://unheard-of.test/' }).last()
  // Only the first few of a minute are recorded, and other journeys have requests refused meanwhile.
  await expect(async () => {
    await page.goto(`/fwk_cas_service/login?service=${address}`)
    await page.goto(`/auth_web/manage/change-history?targetKind=application&targetId=${address}`)
    await expect(refused).toContainText('This address belongs to no registered application', { timeout: 3000 })
  }).toPass({ timeout: 75_000, intervals: [5000] })
  await expect(refused).not.toContainText('application.unknown')
})
