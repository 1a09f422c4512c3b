import { expect, fillIn, type School, test } from './fixtures.ts'

const LOGIN = /\/auth_web\/login\?service=/

/** How often somebody is inside the library; other journeys in the school may have left logins. */
const timesInside = ({ library }: School, account: string) => library.inside().filter((one) => one === account).length

test('log in once, enter an application, log out there: logged out everywhere', async ({ page, school }) => {
  const before = timesInside(school, 'lilei')
  await page.goto('/auth_web/')
  await expect(page).toHaveURL(LOGIN)
  await fillIn(page, 'lilei')
  await expect(page).toHaveURL(`${school.url}/auth_web/my-apps`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Person lilei')

  const opened = page.context().waitForEvent('page')
  await page
    .getByRole('link', { name: /Library/ })
    .first()
    .click()
  const library = await opened
  await expect(library.getByRole('heading', { name: 'Welcome lilei' })).toBeVisible()
  await expect(library).toHaveURL(school.library.url)
  expect(timesInside(school, 'lilei')).toBe(before + 1)

  await library.getByRole('link', { name: 'Log out everywhere' }).click()
  await expect(library).toHaveURL(LOGIN)
  await expect.poll(() => timesInside(school, 'lilei'), { timeout: 60_000 }).toBe(before)
  await page.bringToFront()
  await page.reload()
  await expect(page).toHaveURL(LOGIN)
})

test('logging out of the portal ends the session inside the application too', async ({ page, school, logIn }) => {
  const before = timesInside(school, 'hanmeimei')
  await logIn(page, 'hanmeimei')
  await page.goto(school.library.url)
  await expect(page.getByRole('heading', { name: 'Welcome hanmeimei' })).toBeVisible()
  await page.goto('/auth_web/')
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(LOGIN)
  await expect.poll(() => timesInside(school, 'hanmeimei'), { timeout: 60_000 }).toBe(before)
  await page.goto(school.library.url)
  await expect(page).toHaveURL(LOGIN)
  await page.goBack()
  await expect(page.getByText('Person hanmeimei')).toHaveCount(0)
})

test('from the application: one login that names it and leads straight back to it', async ({ page, school }) => {
  await page.goto(school.library.url)
  await expect(page.getByText('Library', { exact: true })).toBeVisible()
  await fillIn(page, 'zhangsan')
  await expect(page).toHaveURL(school.library.url)
  await expect(page.getByRole('heading', { name: 'Welcome zhangsan' })).toBeVisible()
  await page.goto(`${school.url}/auth_web/`)
  await expect(page).toHaveURL(/my-apps$/)
})

test('nothing of a login stays in the address, and what the page stores is useless elsewhere', async ({
  page,
  logIn,
  browser,
  school,
}) => {
  const seen: string[] = []
  page.on('request', (request) => seen.push(request.url()))
  await logIn(page, 'lisi')
  expect(page.url()).not.toMatch(/jsessionid|ticket/)
  const handOver = seen.find((url) => url.includes('jsessionid='))
  expect(handOver).toBeTruthy()

  const kept = await page.evaluate(() => ({ local: { ...localStorage }, cookies: document.cookie }))
  expect(kept.cookies).not.toMatch(/portal|CASTGC|browser/)
  const thief = await browser.newContext()
  const stolen = await thief.newPage()
  await stolen.goto(`${school.url}/auth_web/404`)
  await stolen.evaluate((local) => Object.assign(localStorage, local), kept.local)
  await stolen.goto(handOver ?? '')
  await expect(stolen).toHaveURL(LOGIN)
  await stolen.goto(`${school.url}/auth_web/my-apps`)
  await expect(stolen).toHaveURL(LOGIN)
  await thief.close()
})
