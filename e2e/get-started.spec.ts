import { violations } from './axe.ts'
import { expect, fillIn, PASSWORD, test } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'

let gatehouse: Gatehouse
test.beforeAll(async () => {
  const root = { account: 'principal', name: 'Head of School', password: PASSWORD, isSuperUser: true }
  // Without a second factor, so that this step stays open.
  const settings = { login: { secondFactorSuperUsers: false } }
  gatehouse = await startGatehouse({ bootstrap: { users: [root], settings } })
})
test.afterAll(() => gatehouse.stop())

test('the first day: the remaining steps are updated live, and texts replace empty charts', async ({ page }) => {
  await page.goto(`${gatehouse.url}/auth_web/manage/home`)
  await fillIn(page, 'principal')
  const list = page.getByRole('region', { name: 'Get started' })
  await expect(list.getByText('0 of 8 done')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No figures yet' })).toBeVisible()
  await expect(page.locator('canvas')).toHaveCount(0)
  expect(await violations(page)).toEqual([])

  await list.getByRole('button', { name: 'We have restored one' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(list.getByText('1 of 8 done')).toBeVisible()
  await expect(list.getByText(/^Confirmed by principal on/)).toBeVisible()

  // Somebody else imports people; returning to this tab shows it.
  await gatehouse.sql`
    insert into users (id, account, name, created_at, updated_at)
    values (gen_random_uuid(), 'fresher', 'First Year', now(), now())`
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(list.getByText('2 of 8 done')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No figures yet' })).toHaveCount(0)
  await expect(list.getByRole('heading', { name: /^People ?: done$/ })).toBeVisible()

  await list.getByRole('link', { name: 'Backup' }).click()
  await expect(page.getByText('stop Gatehouse and copy DATA_DIR')).toBeVisible()
  await page.goBack()
  // Each step links to where it is done.
  await expect(list.getByRole('link')).toHaveCount(8)
  await list.getByRole('link', { name: 'First application' }).click()
  await expect(page).toHaveURL(/application-manage\/new/)
  await page.goBack()
  await list.getByRole('button', { name: 'Hide this list' }).click()
  await expect(list).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await expect(page.locator('.overview-grid')).toBeVisible()
  await expect(list).toHaveCount(0)
})
