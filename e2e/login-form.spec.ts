import type { CDPSession, Page } from '@playwright/test'
import { expect, fillIn, PASSWORD, test } from './fixtures.ts'

const posts = (page: Page): string[] => {
  const seen: string[] = []
  page.on('request', (request) => request.method() === 'POST' && seen.push(request.url()))
  return seen
}

test('Enter that ends an IME composition does not submit the form', async ({ page }) => {
  const sent = posts(page)
  await page.goto('/auth_web/login')
  await page.locator('#password').fill(PASSWORD)
  await page.locator('#username').focus()
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('Input.imeSetComposition', { text: 'lilei', selectionStart: 5, selectionEnd: 5 })
  await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', windowsVirtualKeyCode: 229 })
  await devtools.send('Input.insertText', { text: '李雷' })
  await devtools.detach()
  await page.evaluate(() => {
    const enter = new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })
    document.querySelector('#username')?.dispatchEvent(enter)
    if (!enter.defaultPrevented) document.querySelector('form')?.requestSubmit()
  })
  await expect(page.locator('#username')).toHaveValue('李雷')
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  expect(sent).toEqual([])
})

test('the password is shown and hidden by a named toggle, and Caps Lock is announced', async ({ page }) => {
  await page.goto('/auth_web/login')
  const toggle = page.getByRole('button', { name: 'Show password' })
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await page.locator('#password').fill('seen')
  await toggle.press('Enter')
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('#password')).toHaveAttribute('type', 'text')
  await expect(page.locator('#password')).toHaveValue('seen')
  await page
    .locator('#password')
    .evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true, bubbles: true })),
    )
  await expect(page.getByText('Caps Lock is on.')).toBeVisible()
})

test('missing input is reported at its field, which takes the focus', async ({ page }) => {
  await page.goto('/auth_web/login')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.locator('#username')).toBeFocused()
  await expect(page.locator('#username')).toHaveAccessibleDescription('Please enter your account.')
  await page.locator('#username').fill('lilei')
  await page.keyboard.press('Enter')
  await expect(page.locator('#password')).toBeFocused()
  await expect(page.locator('#password')).toHaveAccessibleDescription('Please enter your password.')
})

test('an unreachable server loses no input', async ({ page, context }) => {
  await page.goto('/auth_web/login')
  await context.setOffline(true)
  await fillIn(page, 'lilei')
  await expect(page.getByRole('alert')).toContainText("The server can't be reached")
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(page.locator('#password')).toHaveValue(PASSWORD)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/my-apps$/)
})

test('a gateway timeout is reported with the message of the portal', async ({ page }) => {
  await page.goto('/auth_web/login')
  await page.route('**/fwk_cas_service/login?**', (route) => route.fulfill({ status: 504, body: '<html></html>' }))
  await fillIn(page, 'lilei')
  await expect(page.getByRole('alert')).toContainText('please contact the school information center!')
})

test('no answer makes the page run a script or navigate to anything but http(s)', async ({ page }) => {
  const complaints: string[] = []
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto('/auth_web/login')
  const before = page.url()
  for (const redirectUrl of [
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    7,
  ]) {
    await page.route('**/fwk_cas_service/login?**', (route) =>
      route.fulfill({ json: { state: 200, message: '', data: { redirectUrl } } }),
    )
    await fillIn(page, 'lilei')
    await expect(page.getByRole('alert')).toContainText('Something went wrong')
    await page.unroute('**/fwk_cas_service/login?**')
  }
  expect(page.url()).toBe(before)
  expect(complaints).toEqual([])
})

test('on a slow phone the card is painted within 1.5 s, and nothing moves when the script arrives', {
  tag: '@proof',
}, async ({ browser }) => {
  // A browser that has never seen the page.
  const context = await browser.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  })
  await page.addInitScript(() => {
    const shifts = { total: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.total += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/auth_web/login')
  await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible()
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 9e9)
  expect(paint).toBeLessThan(1500)
  expect(await page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total)).toBeLessThan(
    0.05,
  )
  await context.close()
})

test('wider spacing of text clips nothing', async ({ page }) => {
  await page.goto('/auth_web/login')
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('body *')) {
      Object.assign(one.style, { lineHeight: '1.5', letterSpacing: '0.12em', wordSpacing: '0.16em' })
    }
  })
  const clipped = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.side *, .brand, .slogan')]
      .filter((one) => one.childElementCount === 0 && one.textContent && one.scrollWidth > one.clientWidth + 1)
      .filter((one) => getComputedStyle(one).display !== 'inline' && one.checkVisibility())
      .map((one) => one.textContent),
  )
  expect(clipped).toEqual([])
})
