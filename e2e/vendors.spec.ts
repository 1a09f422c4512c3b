import type { Page } from '@playwright/test'
import { VENDORS } from '../tools/simulators/index.ts'
import { violations } from './axe.ts'
import { expect, fillIn, testWithServer } from './fixtures.ts'
import { openSchoolBeside } from './vendor-school.ts'

const test = testWithServer('vendors', openSchoolBeside(VENDORS.qywx))

async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

test('an administrator sets WeCom up, is told what is wrong, and people log in by it', async ({ page, server }) => {
  const { vendor: wecom } = server
  await page.goto('/auth_web/manage/qywx')
  await fillIn(page, 'root')
  await page.waitForURL('**/manage/qywx')
  await expect(page.getByRole('heading', { level: 1, name: 'WeCom' })).toBeVisible()
  await expectSound(page)

  const settings = VENDORS.qywx.settings(wecom.url)
  await page.getByLabel('Corporation ID (CorpId)').fill(String(settings['corpId']))
  await page.getByLabel('AgentId').fill(String(settings['agentId']))
  await page.getByLabel('Secret', { exact: true }).fill('wrong')
  await page.getByText('Other hosts').click()
  await page.getByLabel('API host').fill(wecom.url)
  await page.getByLabel(/^Login host(?! inside)/).fill(wecom.url)
  await page.getByLabel('In-app login host').fill(wecom.url)
  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(page.getByText('The secret is wrong, or belongs to another app.')).toBeVisible()
  await page.getByLabel('Secret', { exact: true }).fill(String(settings['secret']))
  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(page.locator('.vendor-step-well')).toHaveCount(6)
  await expectSound(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.save-bar')).toHaveCount(0)
  await expect(page.getByLabel('Secret', { exact: true })).toHaveValue('******')

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/auth_web/')
  await page.getByRole('link', { name: 'WeCom' }).click()
  await page.getByRole('link', { name: /王红/ }).click()
  await expect(page.getByText('Ask your IT service desk to add you to the app')).toBeVisible()

  await page.goto('/auth_web/')
  await page.getByRole('link', { name: 'WeCom' }).click()
  await page.getByRole('link', { name: '李雷' }).click()
  await page
    .getByRole('link', { name: /Log in/ })
    .first()
    .click()
  await fillIn(page, 'lilei')
  await page.getByRole('dialog').getByRole('button', { name: /Link/ }).click()
  await expect(page.getByText('WeCom is linked.')).toBeVisible()

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/auth_web/')
  await page.getByRole('link', { name: 'WeCom' }).click()
  await page.getByRole('link', { name: '李雷' }).click()
  await page.waitForURL('**/auth_web/my-apps')
})
