import { callerAs, openFirstOrganization } from './back-office.ts'
import { expect, test } from './fixtures.ts'

test('an organisation that somebody else changed is disabled with the second confirmation', async ({
  page,
  school,
  logIn,
}) => {
  const call = await callerAs(school.url, 'root')
  type Below = { records: { id: string; version: number; code: string }[] }
  const childOf = async (parent: string, code: string) => {
    const { records } = await call<Below>(`/organization/children/?pageIndex=1&pageSize=100${parent}`)
    const found = records.find((one) => one.code === code)
    if (!found) throw new Error(`no ${code}`)
    return found
  }
  const { id: parentId } = await childOf('', 'school')
  await call('/organization/create/', { code: 'e2e-tower', name: 'Tower', parentId })
  const { id, version } = await childOf(`&parentId=${parentId}`, 'e2e-tower')
  await logIn(page, 'root', '/auth_web/manage/organization')
  await openFirstOrganization(page)
  await page.getByRole('treeitem', { name: /^Tower ?,/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Disable', exact: true }).click()
  await call(`/organization/${id}/update/`, { version, name: 'High tower' })
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Disable', exact: true })
  await confirm.click()
  await expect(dialog.getByRole('alert')).toContainText('Someone else changed “High tower” in the meantime')
  await confirm.click()
  await expect(page.getByText('disabled').first()).toBeVisible()
  await expect(dialog).toHaveCount(0)
})
