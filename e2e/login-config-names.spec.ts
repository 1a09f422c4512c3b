import { expect, openSchool, testWithServer } from './fixtures.ts'

/** More applications than a page of their list, before the library by name. */
const MANY = Array.from({ length: 1001 }, (_, at) => ({
  appId: `app-${at}`,
  name: `Application ${at}`,
  protocol: 'cas',
}))

const test = testWithServer('a thousand applications', () =>
  openSchool({ secondFactorApplications: ['library'] }, (content) => {
    const { applications } = content as { applications: object[] }
    return { ...content, applications: [...applications, ...MANY] }
  }),
)

test('a rule names its application, also among more than a thousand', async ({ page, server: _, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/login-config')
  await page.getByRole('searchbox', { name: 'Find a rule' }).fill('second factor for applications')
  await expect(page.getByLabel('Second factor for applications')).toHaveValue('Library')
})
