import { deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

/** A picture of four coloured quarters, drawn by the browser itself. */
async function drawing(page: Page, type: 'image/png' | 'image/jpeg', width = 800, height = 500): Promise<Buffer> {
  const address = await page.evaluate(
    ([kind, wide, high]) => {
      const canvas = document.createElement('canvas')
      canvas.width = wide
      canvas.height = high
      const pen = canvas.getContext('2d')
      for (const [index, colour] of ['#a8452c', '#1d6b45', '#1f4b99', '#7a4b00'].entries()) {
        if (pen) pen.fillStyle = colour
        pen?.fillRect((index % 2) * (wide / 2), Math.floor(index / 2) * (high / 2), wide / 2, high / 2)
      }
      return canvas.toDataURL(kind)
    },
    [type, width, height] as const,
  )
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}

const WORDS = {
  en: {
    crop: 'Choose the visible part',
    use: 'Use this picture',
    saved: 'Saved.',
    remove: 'Remove picture',
    menu: 'account menu',
    nickname: 'What should we call you?',
    save: 'Save',
    leave: 'Leave without saving',
    stay: 'Stay on the page',
    apps: 'My applications',
    year: 'Year',
    month: 'Month',
    day: 'Day',
    february: 'February',
    female: 'Female',
    zoom: 'Zoom',
    left: 'Move left',
  },
  'zh-CN': {
    crop: '选取展示的部分',
    use: '使用这张图片',
    saved: '保存成功。',
    remove: '移除头像',
    menu: '账号菜单',
    nickname: '我们怎么称呼您？',
    save: '保存',
    leave: '不保存并离开',
    stay: '留在本页',
    apps: '我的应用',
    year: '年',
    month: '月',
    day: '日',
    february: '二月',
    female: '女',
    zoom: '缩放',
    left: '向左移动',
  },
} as const

async function open(page: Page): Promise<void> {
  await page.goto('/auth_web/personal-data')
  await expect(page.locator('input[autocomplete=nickname]')).toBeVisible()
}

for (const locale of ['en', 'zh-CN'] as const) {
  const words = WORDS[locale]

  test(`in ${locale}, a picture is chosen, cropped and used by keyboard alone, and shows in the menu at once`, async ({
    browser,
    school,
    logIn,
  }) => {
    const context = await browser.newContext({ locale, baseURL: school.url })
    const page = await context.newPage()
    await logIn(page, 'portrait')
    await open(page)
    const choice = page.locator('input[type=file]')
    await choice.focus()
    await choice.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await drawing(page, 'image/png') })
    const dialog = page.getByRole('dialog', { name: words.crop })
    const picture = dialog.locator('[data-testid=cropper]')
    await expect(picture).toBeVisible()
    const shown = () => dialog.locator('img').evaluate((image) => getComputedStyle(image).transform)
    await picture.focus()
    const before = await shown()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(shown).not.toBe(before)
    await dialog.getByRole('slider', { name: words.zoom }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(dialog.getByText('120 %')).toBeVisible()
    const zoomed = await shown()
    await dialog.getByRole('button', { name: words.left }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(shown).not.toBe(zoomed)
    expect.soft(await violations(page), 'axe, dialog open').toEqual([])
    await dialog.getByRole('button', { name: words.use }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(words.saved)).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.locator('header .avatar img')).toBeVisible()
    const size = await page.locator('.avatar-large img').evaluate((image: HTMLImageElement) => image.naturalWidth)
    expect(size).toBe(256)
    await page.reload()
    await expect(page.locator('header .avatar img')).toBeVisible()

    await page.getByRole('button', { name: words.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.remove }).click()
    await expect(page.locator('header .avatar img')).toBeHidden()
    await expect(page.locator('header .avatar')).toHaveText('P')
    await context.close()
  })

  test(`in ${locale}, each section is saved separately, and leaving with unsaved input asks first`, async ({
    browser,
    school,
    logIn,
  }) => {
    const context = await browser.newContext({ locale, baseURL: school.url })
    const page = await context.newPage()
    await logIn(page, locale === 'en' ? 'nickname' : 'nickname2')
    await open(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const only = colorScheme === 'dark' ? 'colours' : undefined
      expect.soft(await violations(page, only), `axe, ${colorScheme}`).toEqual([])
    }
    const nickname = page.getByLabel(words.nickname)
    await nickname.fill('👨‍👩‍👧‍👦'.repeat(21))
    await expect(page.getByText('21 / 20')).toBeVisible()
    await expect(nickname).toHaveAttribute('aria-invalid', 'true')
    await nickname.fill('小明𠮷')
    await expect(page.getByText('3 / 20')).toBeVisible()
    await page.getByRole('link', { name: words.apps }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: words.stay }).click()
    await expect(nickname).toHaveValue('小明𠮷')
    await page.getByRole('button', { name: words.save, exact: true }).click()
    await expect(page.getByText(words.saved)).toBeVisible()
    await expect(page.getByRole('button', { name: words.menu })).toHaveAccessibleName(/小明𠮷/)

    const part = (name: string) => page.getByRole('combobox', { name, exact: true })
    await choose(part(words.year), '2004')
    await choose(part(words.month), words.february)
    await part(words.day).click()
    await expect(page.getByRole('option')).toHaveCount(30)
    await page.getByRole('option', { name: '29', exact: true }).click()
    await page.getByRole('button', { name: words.save, exact: true }).click()
    await expect(page.getByRole('button', { name: words.save, exact: true })).toBeHidden()
    await page.getByLabel(words.female, { exact: true }).check()
    await page.getByRole('link', { name: words.apps }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: words.leave }).click()
    await expect(page).toHaveURL(/my-apps$/)
    await page.goBack()
    await expect(part(words.day)).toHaveText('29')
    await expect(page.getByLabel(words.female, { exact: true })).not.toBeChecked()
    await context.close()
  })
}

test('an invalid or too large picture is refused before anything is sent', async ({ page, logIn }) => {
  await logIn(page, 'portrait')
  await open(page)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
  await choose('me.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await expect(page.getByRole('alert')).toContainText('PNG or JPEG picture')
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  await choose('large.png', Buffer.concat([signature, Buffer.alloc(2 * 1024 * 1024)]))
  await expect(page.getByRole('alert')).toContainText('larger than 2 MB')
  await choose('broken.png', Buffer.concat([signature, deflateSync(Buffer.alloc(100))]))
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText("couldn't be read")
  expect(sent.filter((url) => url.includes('upload'))).toEqual([])
})

test('a change by another tab is reported, input stays, and saving again works', async ({ page, context, logIn }) => {
  await logIn(page, 'portrait')
  await open(page)
  const other = await context.newPage()
  await open(other)
  const type = (tab: Page, text: string) => tab.locator('input[autocomplete=nickname]').fill(text)
  await type(page, 'first')
  await type(other, 'second')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(other.getByRole('button', { name: /account menu/ })).toHaveAccessibleName(/first/)
  // What is told as loaded has been loaded, however slowly.
  await other.route('**/user_information/*/details/**', async (route) => {
    await other.waitForTimeout(1500)
    await route.continue()
  })
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other.getByRole('alert')).toContainText('changed elsewhere')
  await expect(other.locator('input[autocomplete=nickname]')).toHaveValue('second')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: /account menu/ })).toHaveAccessibleName(/second/)
})

test('on a phone the page and the cropping of a picture fit, and work without dragging', async ({
  browser,
  school,
  logIn,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    baseURL: school.url,
  })
  const page = await context.newPage()
  await logIn(page, 'portrait')
  await open(page)
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  const buffer = await drawing(page, 'image/jpeg', 400, 900)
  await page.locator('input[type=file]').setInputFiles({ name: 'me.jpeg', mimeType: 'image/jpeg', buffer })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Move up' }).tap()
  const box = await dialog.boundingBox()
  expect(box && box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844).toBe(true)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Use this picture' }).tap()
  await expect(page.locator('.avatar-large img')).toBeVisible()
  await page.getByRole('button', { name: 'Remove picture' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove picture' }).tap()
  await expect(page.locator('.avatar-large img')).toBeHidden()
  await context.close()
})
