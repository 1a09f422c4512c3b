import { chromiumPath } from './chromium.ts'
import { expect, test } from './fixtures.ts'

// Scroll bars that take room, as browsers on Windows and Linux have them.
const executablePath = chromiumPath()
test.use({
  launchOptions: {
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  },
})

const LISTS = ['organization', 'role-manage', 'application-manage', 'administrator-manage']

test('with scroll bars that take room no list is a bit too wide, and of a drawer its body alone scrolls', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/organization')
  for (const name of LISTS) {
    await page.goto(`/auth_web/manage/${name}`)
    const list = page.locator('.list-scroll').first()
    await expect(list.locator('.data-row').first()).toBeVisible()
    expect([name, await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)]).toEqual([name, 0])
  }
  await page.goto('/auth_web/manage/organization')
  await page.locator('.data-row').first().getByRole('button').first().click()
  await expect(page.locator('.drawer .person-verbs')).toBeVisible()
  const scrolls = await page.locator('html, .drawer, .drawer-body').evaluateAll((all) =>
    all.flatMap((one) => {
      const isTaller = one.scrollHeight > one.clientHeight
      const mayScroll = getComputedStyle(one).overflowY !== 'hidden'
      return isTaller && (mayScroll || one.className === 'drawer') ? [one.className || one.tagName] : []
    }),
  )
  expect(scrolls.filter((one) => one !== 'drawer-body')).toEqual([])
})
