import { expect, test } from './fixtures.ts'

test('with scroll bars that take room no list is a bit too wide, and of a drawer its body alone scrolls', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/organization')
  const menu = page.getByRole('navigation').locator('a[href*="/manage/"]')
  await expect(page.locator('.data-row').first()).toBeVisible()
  const names = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const lists: string[] = []
  for (const name of names) {
    await menu
      .and(page.locator(`[href="${name}"]`))
      .first()
      .click()
    await expect(page).toHaveURL(new RegExp(`${name}(\\?|$)`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const tooWide = await page
      .locator('html, .list-scroll')
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth)))
    expect([name, ...tooWide]).toEqual([name, ...tooWide.map(() => 0)])
    if (tooWide.length > 1) lists.push(name)
  }
  expect(lists.length).toBeGreaterThan(5)
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
