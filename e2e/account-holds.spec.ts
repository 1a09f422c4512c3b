import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { callerAs } from './back-office.ts'
import { topDialog } from './dialogs.ts'
import { typeDate } from './fields.ts'
import { expect, test } from './fixtures.ts'

const choose = async (page: Page, label: string, option: string) => {
  await topDialog(page).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('accounts are pasted, the effect on each line is shown, and the freezes are extended and lifted', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/freeze-account')
  await page.getByRole('button', { name: 'Freeze by account' }).first().click()
  await topDialog(page).getByRole('button', { name: 'Check' }).click()
  await expect(topDialog(page).getByText('Please fill this in.')).toBeVisible()
  await expect(topDialog(page).getByLabel('Accounts')).toBeFocused()
  await topDialog(page).getByLabel('Accounts').fill('onleave\n\n404\nonleave\nroot')
  await choose(page, 'Cause', 'Graduated')
  await topDialog(page).getByRole('button', { name: 'Check' }).click()
  await expect(topDialog(page).getByText('Line 3, 404:')).toBeVisible()
  await expect(topDialog(page).getByText('Already in the list above')).toBeVisible()
  await topDialog(page).getByRole('button', { name: 'Back' }).click()
  await expect(topDialog(page).getByLabel('Accounts')).toHaveValue('onleave\n\n404\nonleave\nroot')
  await topDialog(page).getByRole('button', { name: 'Check' }).click()
  await topDialog(page).getByRole('button', { name: 'Freeze 1 person' }).click()
  const row = page.getByRole('row').filter({ hasText: 'onleave' })
  await expect(row).toContainText('Graduated')
  await expect(row).toContainText('Until lifted')
  expect(await violations(page)).toEqual([])
  const year = new Date().getFullYear() + 1
  for (const [end, effect] of [
    [`${year}-03-01T08:00`, '1 person changes'],
    [`${year}-04-01T08:00`, '1 person changes'],
  ] as const) {
    await row.getByRole('button', { name: /^Change end: / }).click()
    // The end is what it is about, also while the calendar is still being loaded.
    await expect(topDialog(page).getByRole('spinbutton').first()).toBeFocused()
    await typeDate(topDialog(page).getByRole('group', { name: 'Until' }), end)
    await expect(topDialog(page).getByText(effect)).toBeVisible()
    await topDialog(page).getByRole('button', { name: 'Change end' }).click()
    await expect(row).toContainText(end.includes('-03-') ? '1 Mar' : '1 Apr')
  }
  // The dialog starts from the end that the freeze has: confirming it as it is changes nothing.
  await row.getByRole('button', { name: /^Change end: / }).click()
  await expect(topDialog(page).locator('[data-type=month]')).toHaveText('04')
  await expect(topDialog(page).getByText('1 already up to date')).toBeVisible()
  await topDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('button', { name: /^Lift freeze: / }).click()
  await topDialog(page).getByRole('button', { name: 'Lift freeze' }).click()
  await expect(row).toHaveCount(0)
  await changePlannedFreeze(page)
})

/** Plans a freeze, extends it and lifts it, all in the details of the person. */
async function changePlannedFreeze(page: Page): Promise<void> {
  const year = new Date().getFullYear() + 1
  await page.goto('/auth_web/manage/organization?search=onleave')
  await page.getByRole('row').filter({ hasText: 'onleave' }).locator('[data-opens]').click()
  const drawer = page.locator('dialog.drawer')
  await drawer.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Freeze', exact: true }).click()
  const from = topDialog(page).getByRole('group', { name: 'From' })
  await topDialog(page).getByLabel('Reason').fill('Two terms of studies in Uppsala')
  // Half a date is not no date: that would freeze at once.
  await from.locator('[data-type=year]').pressSequentially(String(year))
  await topDialog(page).getByRole('button', { name: 'Freeze', exact: true }).click()
  await expect(topDialog(page).getByText('Complete the date or clear it.')).toBeVisible()
  await typeDate(from, `${year}-03-01T08:00`)
  await topDialog(page).getByRole('button', { name: 'Freeze', exact: true }).click()
  const states = drawer.locator('.person-states')
  await expect(states).toContainText(`Freeze planned from 1 Mar ${year}`)
  await page.goto('/auth_web/manage/freeze-account')
  const row = page.getByRole('row').filter({ hasText: 'onleave' })
  await expect(row).toContainText('Uppsala')
  // Every column is in sight.
  await expect(page.locator('.list-scroll')).not.toHaveAttribute('data-wide')
  await row.locator('[data-opens]').click()
  await drawer.getByRole('button', { name: 'Change end' }).click()
  await typeDate(topDialog(page).getByRole('group', { name: 'Until' }), `${year}-04-01T08:00`)
  await expect(topDialog(page).getByText('1 person changes')).toBeVisible()
  await topDialog(page).getByRole('button', { name: 'Change end' }).click()
  await expect(states).toContainText(`until 1 Apr ${year}`)
  await drawer.getByRole('button', { name: 'Lift freeze' }).click()
  await topDialog(page).getByRole('button', { name: 'Lift freeze' }).click()
  await expect(states).not.toContainText('Freeze planned')
}

test('a locked person is in the list of the security centre and is unlocked there', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization?search=lockedout')
  await page.getByRole('checkbox', { name: /lockedout/ }).check()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lock', exact: true }).click()
  await topDialog(page).getByLabel('Reason').fill('Lost card')
  await topDialog(page).getByRole('button', { name: 'Lock', exact: true }).click()
  await expect(topDialog(page)).toHaveCount(0)
  await page.getByRole('link', { name: 'Locked accounts' }).click()
  const row = page.getByRole('row').filter({ hasText: 'lockedout' })
  await expect(row.locator('.person-cell', { hasText: 'Administrator' })).toHaveText(/Administrator.+/)
  await expect(row).toContainText('Lost card')
  // An unlocked person leaves the list; stepping to the others still works.
  await row.locator('[data-opens]').click()
  const drawer = page.locator('dialog.drawer')
  await drawer.getByRole('region', { name: "Why they can't log in" }).getByRole('button', { name: 'Unlock' }).click()
  await topDialog(page).getByRole('button', { name: 'Unlock' }).click()
  await expect(row).toHaveCount(0)
  await expect(drawer.getByRole('button', { name: 'Next', exact: true })).toBeVisible()
})

test('the head of a person whose account is not valid yet says when it will be', async ({ page, school, logIn }) => {
  const call = await callerAs(school.url, 'root')
  const { records } = await call<{ records: { id: string }[] }>('/user_information/query/?search=pupil')
  const id = records[0]?.id
  const change = async (validFrom: string | null) =>
    await call('/user_information/batch_update/', { selection: { ids: [id] }, fields: { validFrom } })
  await change('2999-01-02T00:00:00.000Z')
  await logIn(page, 'root', `/auth_web/manage/organization?open=${id}`)
  const why = page.locator('dialog.drawer').getByRole('region', { name: "Why they can't log in" })
  await expect(why).toContainText(/not valid yet and becomes valid on .*2999/)
  await change(null)
})

test('accounts that were pasted are kept when the report on them is left by Escape', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/freeze-account')
  await page.getByRole('button', { name: 'Freeze by account' }).first().click()
  const dialog = page.getByRole('dialog')
  const accounts = dialog.getByRole('textbox').first()
  await accounts.fill('nobody1\nnobody2')
  await dialog.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Freeze 0 people?' })).toContainText('nobody1')
  await page.keyboard.press('Escape')
  await expect(accounts).toHaveValue('nobody1\nnobody2')
})
