import { expect, test } from './fixtures.ts'
import { bar, colourAt, entry, logInAs, openBar, ready, saidOn, tool, visit, withVoices } from './reading.ts'

test('the pointers are large, over links and fields too, and no larger than browsers accept', async ({ page }) => {
  await page.goto('/auth_web/login')
  await openBar(page)
  const cursorAt = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).cursor)
  const sideOf = (cursor: string) =>
    page.evaluate(
      async (address) => {
        const image = new Image()
        image.src = address
        await image.decode()
        return image.width
      },
      /url\("?(data:[^")]+)/.exec(cursor)?.[1] ?? '',
    )
  for (const [name, side] of [
    ['Large black', 48],
    ['Large white', 48],
    ['Huge yellow', 64],
  ] as const) {
    await tool(page, name).click()
    const [body, link, field, button] = await Promise.all(['h1', 'a[href]', '#username', '.primary'].map(cursorAt))
    expect(await sideOf(body ?? ''), name).toBe(side)
    expect(await sideOf(field ?? ''), name).toBe(side)
    expect(new Set([body, link, field]).size, 'arrow, hand and text differ').toBe(3)
    expect(button).toBe(link)
    expect([body, link, field].map((cursor) => cursor?.split(', ').at(-1))).toEqual(['default', 'pointer', 'text'])
  }
  await tool(page, 'Normal').click()
  expect(await cursorAt('h1')).toBe('auto')
})

test('the reading guide follows the pointer and the focus, is above dialogs, blocks no clicks and is not printed', async ({
  browser,
  school,
}) => {
  const page = await visit(browser, school, 'en')
  await logInAs(page, 'zhaoliu')
  await ready(page, '/auth_web/personal-data')
  await openBar(page)
  await tool(page, 'Reading line').click()
  const guide = page.locator('.reading-guide')
  const height = () => guide.evaluate((one) => one.firstElementChild?.getBoundingClientRect().top ?? 0)
  await page.mouse.move(500, 333)
  await expect.poll(height).toBe(333)
  const nickname = page.locator('input[autocomplete=nickname]')
  await page.keyboard.press('Tab')
  await nickname.focus()
  const under = await nickname.evaluate((one) => one.getBoundingClientRect().bottom)
  await expect.poll(height).toBeCloseTo(under, 0)
  await nickname.click()
  await expect(nickname).toBeFocused()
  await nickname.fill('x')
  await page.getByRole('link', { name: 'My applications' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.mouse.move(683, 384)
  await expect.poll(height).toBe(384)
  expect(await colourAt(page, 683, 386), 'the line lies over the dialog').toEqual([192, 0, 0])
  await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(/my-apps$/)
  await page.emulateMedia({ media: 'print' })
  await expect(guide).toBeHidden()
  await page.context().close()
})

test('the element under the pointer or with the focus is read aloud and shown large, at the chosen speed, but never input', async ({
  page,
}) => {
  await withVoices(page, ['en-US', 'zh-CN'])
  await page.goto('/auth_web/login')
  await openBar(page)
  await tool(page, 'Read what I point at').click()
  await tool(page, 'Large caption').click()
  const last = async () => (await saidOn(page)).findLast(({ text }) => text !== undefined)
  await page.locator('h1').hover()
  await expect.poll(async () => (await last())?.text).toBe('Log in')
  expect(await last()).toMatchObject({ lang: 'en-US', rate: 1 })
  await expect(page.locator('.reading-caption')).toHaveText('Log in')

  await page.locator('#password').fill('Top-secret-9')
  await page.locator('#username').fill('my-account')
  await page.locator('.reveal-button').click()
  await page.locator('#username').focus()
  await page.locator('#password').focus()
  await expect.poll(async () => (await last())?.text).toMatch(/Password/)
  await page.locator('#username').hover()
  await page.locator('#password').hover()
  await expect.poll(async () => (await last())?.text).toMatch(/Password/)
  expect(JSON.stringify(await saidOn(page))).not.toMatch(/Top-secret|my-account/)
  expect(await page.locator('.reading-caption').textContent()).not.toMatch(/Top-secret/)

  await tool(page, 'Faster').click()
  await page.locator('h1').hover()
  await expect.poll(async () => (await last())?.rate).toBe(1.25)
  await tool(page, 'Pause').click()
  expect((await saidOn(page)).at(-1)).toEqual({ pause: true })
  const count = (await saidOn(page)).length
  await page.locator('form button[type=submit]').hover()
  await page.waitForTimeout(400)
  expect(await saidOn(page)).toHaveLength(count)
  await tool(page, 'Pause').click()
  expect((await saidOn(page)).at(-1)).toEqual({ resume: true })
  await tool(page, 'Exit accessible reading').click()
  expect((await saidOn(page)).slice(-2)).toEqual([{ cancel: true }, { resume: true }])
  await expect(page.locator('.reading-caption')).toHaveCount(0)
})

test('a device without a voice says so, and shows the text in large letters instead', async ({ page }) => {
  await withVoices(page, [])
  await page.goto('/auth_web/login')
  await openBar(page)
  await tool(page, 'Read what I point at').click()
  await expect(bar(page).getByText('No voice is installed')).toBeVisible()
  await page.locator('h1').hover()
  await expect(page.locator('.reading-caption')).toHaveText('Log in')
})

test('accessible reading is loaded on demand; choices survive navigation, reload, login and logout; Exit removes everything', async ({
  page,
  context,
}) => {
  const loaded: { url: string; size: number }[] = []
  page.on('response', async (response) => {
    if (!/ReadingBar|kind=reading/.test(response.url())) return
    const { responseBodySize } = await response.request().sizes()
    loaded.push({ url: response.url(), size: responseBodySize })
  })
  const marks = () =>
    page.evaluate(() =>
      document.documentElement
        .getAttributeNames()
        .filter((name) => name.startsWith('data-reading'))
        .map((name) => `${name}=${document.documentElement.getAttribute(name)}`),
    )
  const kept = async () => (await context.cookies()).some(({ name }) => name === 'gatehouse_reading')
  await page.goto('/auth_web/login')
  await page.waitForLoadState('networkidle')
  expect(loaded).toEqual([])
  await openBar(page)
  await expect.poll(() => loaded.length).toBe(3)
  expect(loaded.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(15_000)
  await tool(page, 'White on black').click()
  await tool(page, 'Magnify').click()
  await tool(page, 'Large black').click()
  const chosen = ['data-reading-size=120', 'data-reading-contrast=white-on-black', 'data-reading-mouse=black']
  await page.reload()
  expect((await marks()).sort()).toEqual(chosen.toSorted())
  await logInAs(page, 'lilei')
  expect((await marks()).sort()).toEqual(chosen.toSorted())
  await expect(tool(page, 'White on black')).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('link', { name: 'Personal data' }).first().click()
  await expect(page.locator('input[autocomplete=nickname]')).toBeVisible()
  await expect(bar(page)).toBeVisible()
  await tool(page, 'Reset').click()
  expect(await marks()).toEqual([])
  await expect(bar(page)).toBeVisible()
  await tool(page, 'Crosshair').click()
  await tool(page, 'Large white').click()
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.locator('#username')).toBeVisible()
  await expect(page.locator('.reading-guide')).toHaveCount(1)
  expect(await marks()).toEqual(['data-reading-mouse=white'])
  await tool(page, 'Exit accessible reading').click()
  await expect(entry(page)).toBeFocused()
  await expect(bar(page)).toHaveCount(0)
  await expect(page.locator('.reading-guide')).toHaveCount(0)
  expect(await marks()).toEqual([])
  expect(await kept()).toBe(false)
  expect(await page.evaluate(() => document.documentElement.getAttribute('style'))).not.toContain('--reading-arrow')
  await page.reload()
  await expect(bar(page)).toHaveCount(0)
})

test('the first paint applies the choices, and an invalid choice is ignored', async ({ page, context, school }) => {
  const htmlOf = async (path: string, value: string) => {
    const answer = await fetch(school.url + path, { headers: { cookie: `gatehouse_reading=${value}` } })
    return (await answer.text()).slice(0, 8000)
  }
  for (const path of ['/auth_web/login', '/auth_web/my-apps']) {
    const html = await htmlOf(path, '0.140.black.none.yellow-on-black.0.100.0')
    expect(html).toContain('data-reading-size="140" data-reading-contrast="yellow-on-black" data-reading-mouse="black"')
    expect(html).toMatch(/<link rel="stylesheet" href="[^"]+ReadingBar[^"]+\.css">/)
    expect(html).toContain('<meta name="theme-color" content="#000000">')
    for (const damaged of [
      '',
      '1',
      '1.999.black.none.none.0.100.0',
      '%22%3E%3Cscript%3E',
      '1.140.black.none.none.0.100.0.0',
    ]) {
      expect(await htmlOf(path, damaged)).not.toMatch(/data-reading|ReadingBar/)
    }
  }
  await context.addCookies([{ name: 'gatehouse_reading', value: '7.999.x.y.z.0.0.0', url: school.url }])
  await page.goto('/auth_web/login')
  await expect(page.locator('#username')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  await openBar(page)
})
