import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { test } from './demo-school.ts'
import { choose } from './fields.ts'
import { expect, fillIn } from './fixtures.ts'

const PURPLE = 'rgb(116, 52, 129)'
const SEAL = 'rgb(140, 29, 47)'

const drawn = async (width: number, height: number, background: string, format: 'png' | 'jpeg') => ({
  name: `picture.${format}`,
  mimeType: `image/${format}`,
  buffer: await sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer(),
})

/** The login page as a first-time visitor sees it. */
async function visit(browser: Browser, url: string, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: url, locale: 'zh-CN' })
  const page = await context.newPage()
  await page.goto('/auth_web/login?service=')
  await look(page)
  await context.close()
}

const buttonOf = (page: Page) => page.locator('form button[type=submit]').first()

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
}

/** The contrast of white words with what is behind the last of so many lines of a slogan. */
async function sloganContrast(page: Page, lines: number): Promise<number> {
  const slogan = page.locator('.slogan')
  await slogan.evaluate((element, text) => {
    element.textContent = text
    Object.assign(element.style, { whiteSpace: 'pre', font: '34px sans-serif' })
  }, Array(lines).fill('一').join('\n'))
  const box = await slogan.boundingBox()
  if (!box) throw new Error('no slogan')
  const picture = sharp(await page.screenshot())
  const at = { left: Math.round(box.x - 6), top: Math.round(box.y + box.height - 6), width: 1, height: 1 }
  const [red = 0, green = 0, blue = 0] = await picture.extract(at).removeAlpha().raw().toBuffer()
  const [r, g, b] = [red, green, blue].map((part) => ((part / 255 + 0.055) / 1.055) ** 2.4)
  return 1.05 / (0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0) + 0.05)
}

test('from a fresh start: the login page gets the look of a university, a theme is scheduled, and all of it is undone', async ({
  page,
  browser,
  demo,
  account,
}) => {
  test.slow()
  const admin = await account('admin')
  await page.goto('/auth_web/manage/login-topic')
  await fillIn(page, admin.account, admin.password)
  // The newcomer's page links to the name and the logo.
  await page.getByRole('link', { name: 'Name, logo and contact' }).click()
  const name = page.getByRole('textbox', { name: 'Institution name in Simplified Chinese' })
  const nameBefore = await name.inputValue()
  await name.fill('示例理工大学')
  await page.getByLabel('Logo', { exact: true }).setInputFiles(await drawn(256, 256, '#743481', 'png'))
  await page.getByLabel('Browser tab icon').setInputFiles(await drawn(64, 64, '#743481', 'png'))
  await save(page)

  await page.goto('/auth_web/manage/login-topic')
  await page.getByRole('button', { name: 'Duplicate Gatehouse' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('理工紫')
  await page.getByRole('button', { name: 'Create theme' }).click()
  await page.getByRole('textbox', { name: 'Brand colour', exact: true }).fill('#743481')
  await page.getByText('A photo of the campus').click()
  await page.locator('.file-drop input[type=file]').setInputFiles(await drawn(1600, 1200, '#e8ece8', 'jpeg'))
  await expect(page.locator('.focus-point img')).toHaveJSProperty('complete', true)
  await save(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published.')).toBeVisible()
  await page.getByRole('button', { name: 'All themes' }).click()
  await page.getByRole('button', { name: 'Use 理工紫' }).click()
  await expect(page.getByText('The theme is in use')).toBeVisible()
  await visit(browser, demo.url, async (visitor) => {
    await expect(visitor).toHaveTitle(/示例理工大学/)
    await expect(visitor.locator('.brand')).toHaveText('示例理工大学')
    const mark = visitor.locator('.brand img')
    await expect(mark).toHaveJSProperty('complete', true)
    const icon = visitor.locator('link[rel=icon]')
    expect(await icon.getAttribute('href')).not.toBe(await mark.getAttribute('src'))
    await expect(buttonOf(visitor)).toHaveCSS('background-color', PURPLE)
    await expect(visitor.locator('.scene')).toHaveCSS('background-image', /preview_file/)
    for (const lines of [1, 8]) expect(await sloganContrast(visitor, lines)).toBeGreaterThan(4.5)
  })
  await page.getByRole('tab', { name: 'Change history' }).click()
  const used = page.getByRole('tabpanel').locator('li.change').first()
  await used.getByRole('button').first().click()
  // Nobody had chosen one before.
  await expect(used.getByRole('row', { name: /Gatehouse/ })).toContainText('理工紫')

  await page.getByRole('tab', { name: 'Schedule' }).click()
  await page.getByRole('button', { name: 'Add a period' }).click()
  await choose(page.getByRole('group', { name: 'Period 1' }).getByRole('combobox', { name: 'Theme' }), 'Seal')
  await page.getByRole('textbox', { name: 'Occasion' }).fill('校庆')
  await save(page)
  await visit(browser, demo.url, (visitor) => expect(buttonOf(visitor)).toHaveCSS('background-color', SEAL))
  await page.getByRole('button', { name: 'Remove period 1' }).click()
  await save(page)
  await visit(browser, demo.url, (visitor) => expect(buttonOf(visitor)).toHaveCSS('background-color', PURPLE))

  await page.getByRole('tab', { name: 'Themes' }).click()
  await page.getByRole('button', { name: 'Use Gatehouse' }).click()
  await expect(page.getByText('The theme is in use')).toBeVisible()
  await page.goto('/auth_web/manage/system-settings')
  await name.fill(nameBefore)
  await page.getByRole('button', { name: 'Use the default logo' }).click()
  await page.getByRole('button', { name: 'Use the logo' }).click()
  await save(page)
  await visit(browser, demo.url, async (visitor) => {
    await expect(visitor.locator('.brand')).toHaveText(nameBefore)
    await expect(visitor.locator('.scene .drawing svg')).toBeVisible()
    await expect(buttonOf(visitor)).toHaveCSS('background-color', 'rgb(31, 75, 153)')
  })
})
