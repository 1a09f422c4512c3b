import { expect, type School, test } from './fixtures.ts'

const LOGIN = /\/auth_web\/login\?service=/

/** On another site than the portal's. */
const leavePage = (school: School, policy: string) =>
  `${school.library.url.replace('127.0.0.1', 'localhost')}leave?policy=${policy}`

for (const policy of ['no-referrer', 'same-origin']) {
  for (const way of ['link', 'form', 'script']) {
    test(`an application that says Referrer-Policy: ${policy} logs its person out by a ${way}, without a question`, async ({
      page,
      school,
      logIn,
    }) => {
      await logIn(page, 'lilei')
      await page.goto(school.library.url)
      await expect(page.getByRole('heading', { name: 'Welcome lilei' })).toBeVisible()
      await page.goto(leavePage(school, policy))
      await page.getByText(`By a ${way}`).click()
      await expect(page).toHaveURL((url) => url.href === school.library.url || LOGIN.test(url.href))
      // Its session may outlive ours for the moment that the message takes.
      await expect(async () => {
        await page.goto(school.library.url)
        await expect(page).toHaveURL(LOGIN, { timeout: 1000 })
      }).toPass()
    })
  }
}

test('a page that navigates to the logout by itself gets a confirmation page, and nobody is logged out', async ({
  page,
  school,
  logIn,
}) => {
  await logIn(page, 'lilei')
  await page.goto(`${leavePage(school, 'no-referrer')}#by-itself`)
  await expect(page.getByRole('heading', { name: 'Log out everywhere?' })).toBeVisible()
  await page.goto(school.library.url)
  await expect(page.getByRole('heading', { name: 'Welcome lilei' })).toBeVisible()
})
