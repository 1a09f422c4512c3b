import { expect, test } from '@playwright/test'
import { violations } from './axe.ts'
import { fillIn, PASSWORD } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

test('first run: the printed link makes the first administrator, once', async ({ page }) => {
  const gatehouse = await startGatehouse()
  try {
    const link = /http\S+\/auth_web\/setup#\S+/.exec(gatehouse.output())?.[0] ?? ''
    await page.goto(`${gatehouse.url}/auth_web/setup`)
    await expect(page.getByRole('heading', { name: 'This set-up link does not work' })).toBeVisible()
    await page.goto(link)
    await expect(page.getByLabel('Account')).toBeVisible()
    await page.getByRole('button', { name: 'Finish the set-up' }).click()
    await expect(page.getByLabel('Account')).toBeFocused()
    await expect(page.getByText('Please fill this in.')).toHaveCount(2)
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Account').fill('principal')
    await page.getByLabel('Name', { exact: true }).fill('Head of School')
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('New password again').fill(PASSWORD)
    await page.getByLabel('Name of the institution').fill('Riverside College')
    await page.getByRole('button', { name: 'Finish the set-up' }).click()
    await expect(page.getByRole('heading', { name: 'Gatehouse is ready' })).toBeVisible()
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect(page.getByText('Riverside College').first()).toBeVisible()
    await fillIn(page, 'principal')
    await expect(page).toHaveURL(/my-apps$/)
    await page.goto(`${gatehouse.url}/auth_web/manage`)
    await expect(page).toHaveURL(/current-login-manage$/)

    await page.goto('about:blank')
    await page.goto(link)
    await expect(page.getByRole('button', { name: 'Finish the set-up' })).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  } finally {
    await gatehouse.stop()
  }
})
