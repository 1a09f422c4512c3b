import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/scim-clients'

test('a SCIM client gets a token that is shown once, uses it, is held, continued, revoked and deleted', async ({
  page,
  logIn,
  request,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'New SCIM client' }).click()
  const form = page.getByRole('dialog', { name: 'New SCIM client' })
  await form.getByLabel('Name', { exact: true }).fill('Personnel')
  await form.getByLabel('Read roles').check()
  const limit = form.getByLabel('People it may disable in 24 hours')
  await limit.fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(limit).toHaveAccessibleDescription(/Please fill this in\.$/)
  await limit.fill('1')
  await form.getByLabel('People it may rename in 24 hours').fill('1')
  await form.getByRole('button', { name: 'Save' }).click()

  const issue = page.getByRole('dialog', { name: 'New token for Personnel' })
  await choose(issue.getByLabel('Valid for'), '90 days')
  await issue.getByRole('button', { name: 'Issue' }).click()
  const shown = page.getByRole('dialog', { name: 'Your new token' })
  await expect(shown.locator('code')).toHaveCount(2)
  const [url = '', token = ''] = await shown.locator('code').allInnerTexts()
  await shown.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByText(token)).toHaveCount(0)

  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
  const made: string[] = []
  for (const userName of ['scim-journey-1', 'scim-journey-2']) {
    const answer = await request.post(`${url}/Users`, { headers, data: { userName, displayName: 'Pushed' } })
    expect(answer.status()).toBe(201)
    made.push(((await answer.json()) as { id: string }).id)
  }
  expect((await request.delete(`${url}/Users/${made[0]}`, { headers })).status()).toBe(204)
  expect((await request.delete(`${url}/Users/${made[1]}`, { headers })).status()).toBe(403)
  const rename = async (displayName: string) =>
    (await request.put(`${url}/Users/${made[1]}`, { headers, data: { displayName } })).status()
  expect([await rename('Pushed'), await rename('Renamed')]).toEqual([200, 200])

  await page.reload()
  await expect(page.getByRole('row', { name: /Personnel/ })).toContainText('On hold')
  await page.getByRole('button', { name: 'Edit Personnel' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Personnel' })
  const created = edit.getByLabel('People it may create in 24 hours')
  await expect(created).toHaveValue('')
  await created.fill('0')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Personnel saved')).toBeVisible()
  const third = { userName: 'scim-journey-3', displayName: 'Pushed' }
  expect((await request.post(`${url}/Users`, { headers, data: third })).status()).toBe(403)

  await page.getByRole('button', { name: 'Personnel', exact: true }).click()
  await expect(page.getByText('limit within 24 hours (Disabled: 1 of 1, Renamed: 1 of 1)')).toBeVisible()
  await expect(page.getByText('Moved: 0 of 500')).toBeVisible()
  await page.getByRole('button', { name: 'Release' }).click()
  const release = page.getByRole('dialog', { name: 'Release Personnel?' })
  await release.getByLabel('Reason').fill('They have left')
  await release.getByRole('button', { name: 'Release' }).click()
  await expect(page.getByText('Personnel can continue')).toBeVisible()
  await expect(page.getByText('Renamed: 0 of 1')).toBeVisible()
  expect((await request.delete(`${url}/Users/${made[1]}`, { headers })).status()).toBe(204)

  await page.getByRole('tab', { name: 'Tokens' }).click()
  await page.getByRole('button', { name: /Revoke the token ending in/ }).click()
  await page
    .getByRole('dialog', { name: /Revoke the token/ })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect(page.getByText('No token is valid')).toBeVisible()
  expect((await request.get(`${url}/Users`, { headers })).status()).toBe(401)
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByText('SCIM token revoked')).toBeVisible()
  await expect(page.getByText('SCIM client put on hold: too many changes within 24 hours')).toHaveCount(2)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Delete Personnel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Personnel deleted')).toBeVisible()
  await expect(page.getByText('No SCIM clients yet')).toBeVisible()
})
