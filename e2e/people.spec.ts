import type { Page } from '@playwright/test'
import { topDialog } from './dialogs.ts'
import { typeDate } from './fields.ts'
import { expect, fillIn, PASSWORD, test } from './fixtures.ts'

const PEOPLE = '/auth_web/manage/organization'

const search = async (page: Page, text: string) => {
  const field = page.getByLabel('Account, name, phone, email')
  await field.fill(text)
  await field.press('Enter')
}

/** Opens the person at the side of the list. */
async function openPerson(page: Page, account: string) {
  await search(page, account)
  await page.getByRole('button', { name: account, exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'Profile' })).toBeVisible()
}

test('a new person is created, edited by two at once, and sets up the account with the link', async ({
  browser,
  page,
  school,
  logIn,
}) => {
  await logIn(page, 'root', PEOPLE)
  await page.getByRole('button', { name: 'New person' }).click()
  await topDialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(topDialog(page).getByText('Please fill this in.').first()).toBeVisible()
  await expect(topDialog(page).getByText('Account', { exact: true })).toBeInViewport()
  await topDialog(page).getByLabel('Account', { exact: true }).fill('20261234')
  await topDialog(page).getByLabel('Name', { exact: true }).fill('王小明')
  await topDialog(page)
    .getByRole('combobox', { name: /^Department/ })
    .fill('Comp')
  await topDialog(page).getByRole('option', { name: 'Computer Science' }).click()
  await expect(topDialog(page).getByLabel('Account', { exact: true })).toHaveAttribute('aria-required', 'true')
  await expect(topDialog(page).getByRole('textbox', { name: 'Phone optional' })).not.toHaveAttribute('aria-required')
  await page.route('**/user_information/create/**', async (route) => {
    await page.waitForTimeout(3000)
    await route.continue()
  })
  await topDialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(topDialog(page).getByRole('status').getByText('Saving…')).toBeVisible()
  const link = (await topDialog(page).locator('code').textContent()) ?? ''
  expect(link).toContain('/auth_web/activation?code=')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Stay and copy' }).click()
  await topDialog(page).getByRole('button', { name: 'I have copied it' }).click()

  await search(page, 'wangxiaoming')
  await openPerson(page, '20261234')
  await expect(page).toHaveURL(/open=/)
  await page.locator('dialog.drawer').getByRole('button', { name: 'Edit' }).click()
  await topDialog(page).getByLabel('Phone').fill('13900001111')
  const other = await browser.newContext()
  const second = await other.newPage()
  await logIn(second, 'root', PEOPLE)
  await openPerson(second, '20261234')
  await second.locator('dialog.drawer').getByRole('button', { name: 'Edit' }).click()
  await topDialog(second).getByLabel('Email').fill('wang@example.edu')
  await topDialog(second).getByRole('button', { name: 'Save' }).click()
  await expect(second.getByText('王小明 was saved').first()).toBeVisible()
  await other.close()
  await topDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(topDialog(page).getByRole('alert')).toContainText('wang@example.edu')
  await topDialog(page).getByRole('alert').getByRole('button').first().click()

  const theirs = await browser.newContext()
  const person = await theirs.newPage()
  await person.goto(link)
  await expect(person).not.toHaveURL(/code=/)
  await person.getByRole('button', { name: 'Set up my account' }).click()
  await person.locator('input[autocomplete=new-password]').first().fill('Brand-new-horse-5')
  await person.locator('input[autocomplete=new-password]').last().fill('Brand-new-horse-5')
  await expect(person.getByText('王小明').first()).toBeVisible()
  await theirs.close()
  expect(school.url).toContain('http')
})

test('a person is frozen and unfrozen, deleted and restored, and reset', async ({ browser, page, logIn }) => {
  await logIn(page, 'root', PEOPLE)
  await openPerson(page, 'departing')
  const more = async (verb: string) => {
    const drawer = page.locator('dialog.drawer')
    const button = drawer.locator('.person-verbs').getByRole('button', { name: verb, exact: true })
    await expect(drawer.getByRole('tab').first()).toBeVisible()
    if (!(await button.isVisible())) await drawer.getByRole('button', { name: 'More' }).click()
    const entry = page.getByRole('menuitem', { name: verb, exact: true })
    await entry.or(button).click()
  }
  // Each says whom it concerns, and when to use it.
  for (const [verb, when] of [
    ['Lock', 'For an account at risk'],
    ['Disable', 'For people who no longer work or study here'],
    ['Delete', 'For accounts created by mistake or twice'],
  ] as const) {
    await more(verb)
    await expect(topDialog(page)).toHaveAccessibleName(`${verb} Person departing (departing)?`)
    await expect(topDialog(page).getByText(when)).toBeVisible()
    await topDialog(page).getByRole('button', { name: 'Cancel' }).click()
  }
  await more('Freeze')
  await expect(topDialog(page).getByText('1 person changes')).toBeVisible()
  // Pressing Enter too early does nothing.
  await expect(topDialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(topDialog(page).getByText('For a pause with a reason')).toBeVisible()
  await topDialog(page).getByLabel('Reason, for the person').fill('On leave')
  await topDialog(page).getByLabel('Internal note').fill('File 12/26')
  const until = topDialog(page).getByRole('group', { name: 'until' })
  await typeDate(until, '2020-01-01T00:00')
  await topDialog(page).getByRole('button', { name: 'Freeze' }).click()
  await expect(until).toHaveAccessibleDescription(/must be in the future/)
  await expect(until.getByRole('spinbutton').first()).toBeFocused()
  await typeDate(until, '')
  // The error of another value is cleared.
  await expect(until.locator('[aria-invalid]')).toHaveCount(0)
  await topDialog(page).getByRole('button', { name: 'Freeze' }).click()
  await expect(page.locator('dialog.drawer').getByText('On leave')).toBeVisible()
  const why = page.getByRole('region', { name: "Why they can't log in" })
  await expect(why.getByText('The account is frozen')).toBeVisible()
  await expect(why.getByRole('button', { name: 'Lift freeze' })).toBeVisible()
  // It is offered once, next to the reason.
  await page.locator('dialog.drawer .login-check').getByRole('button', { name: 'Lift freeze' }).click()
  await topDialog(page).getByRole('button', { name: 'Lift freeze' }).click()
  await expect(page.locator('dialog.drawer').getByText('On leave')).toHaveCount(0)
  await more('Reset account')
  await topDialog(page).getByRole('button', { name: 'Reset account' }).click()
  await expect(topDialog(page).locator('code')).toContainText('code=')
  await topDialog(page).getByRole('button', { name: 'I have copied it' }).click()
  const theirs = await browser.newContext()
  const person = await theirs.newPage()
  await person.goto('/auth_web/')
  await fillIn(person, 'departing', PASSWORD)
  await expect(person.locator('.alert')).not.toBeEmpty()
  await theirs.close()
  await more('Delete')
  await topDialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('1 person was deleted')).toBeVisible()
  const notice = page.locator('.notice', { hasText: '1 person was deleted' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1 person was restored')).toBeVisible()
})

test('all logins of a person end at once, after a confirmation that explains the effect', async ({
  browser,
  page,
  logIn,
}) => {
  const theirs = await browser.newContext()
  await logIn(await theirs.newPage(), 'portrait')
  await logIn(page, 'root', PEOPLE)
  await openPerson(page, 'portrait')
  const drawer = page.locator('dialog.drawer')
  await drawer.getByRole('tab', { name: 'Current logins' }).click()
  const all = drawer.getByRole('button', { name: 'Kick out everywhere' })
  await all.first().click()
  await expect(topDialog(page).getByText('All logins end immediately')).toBeVisible()
  await expect(topDialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await topDialog(page).getByRole('button', { name: 'Kick out everywhere' }).click()
  await expect(drawer.getByText('Not logged in anywhere')).toBeVisible()
  await expect(all).toHaveCount(0)
  await theirs.close()
})

test('a restored person is still named at the top of the drawer, although no longer in the list of deleted people', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PEOPLE)
  await openPerson(page, 'returning')
  const drawer = page.locator('dialog.drawer')
  await drawer.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await topDialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(drawer).toHaveCount(0)
  await page.goto(`${PEOPLE}?state=deleted`)
  await page.getByRole('button', { name: 'returning', exact: true }).click()
  await drawer.getByRole('button', { name: 'Restore' }).click()
  await topDialog(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('1 person was restored').first()).toBeVisible()
  await expect(page.locator('tbody').getByText('returning')).toHaveCount(0)
  await expect(drawer.getByRole('heading', { level: 2 }).first()).toHaveText('Person returning (returning)')
})

test('a list below a field overlays the dialog without moving it, also on a phone with its keyboard open', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PEOPLE)
  await page.getByRole('button', { name: 'New person' }).click()
  const field = topDialog(page).getByRole('combobox', { name: /^Department/ })
  const list = page.locator('.picker-list')
  const boxOf = async (what: typeof list) => (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
    // A phone with its keyboard open.
    [390, 420],
  ] as const) {
    await page.setViewportSize({ width, height })
    const before = await boxOf(topDialog(page))
    await field.click()
    await expect(list.getByRole('option').first()).toBeVisible()
    expect(await boxOf(topDialog(page))).toEqual(before)
    const [hanging, from] = [await boxOf(list), await boxOf(field)]
    expect(hanging.y).toBeGreaterThanOrEqual(0)
    expect(hanging.y + hanging.height).toBeLessThanOrEqual(height)
    expect(hanging.y >= from.y + from.height || hanging.y + hanging.height <= from.y).toBe(true)
    await field.fill('Comp')
    await page.getByRole('option', { name: 'Computer Science' }).click()
    await expect(field).toHaveValue('Computer Science')
    await expect(list).toHaveCount(0)
    expect(await boxOf(topDialog(page))).toEqual(before)
    await topDialog(page).getByRole('button', { name: 'Remove Computer Science' }).click()
    await expect(field).toHaveValue('')
    await expect(field).toBeFocused()
  }
})

test('several people are disabled together by keyboard alone, in Chinese too', async ({ page, logIn }) => {
  await logIn(page, 'root', `${PEOPLE}?search=nickname`)
  const boxes = page.getByRole('checkbox', { name: /^Person nickname/ })
  await expect(boxes).toHaveCount(2)
  await boxes.first().focus()
  await page.keyboard.press('Space')
  await boxes.last().focus()
  await page.keyboard.press('Space')
  const disable = page.getByRole('button', { name: 'Disable', exact: true })
  await disable.focus()
  await page.keyboard.press('Enter')
  await expect(topDialog(page).getByText('2 people change')).toBeVisible()
  await topDialog(page).getByLabel('Reason').focus()
  await page.keyboard.type('End of term')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 people were disabled')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 people were enabled')).toBeVisible()
  await page.goto(`${PEOPLE}?search=nickname&state=disabled`)
  await expect(page.getByText(/Nothing|No /).first()).toBeVisible()
})

test('a role is given to all matching people and removed again, and the result lists who was skipped', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root')
  await page.goto(`${PEOPLE}?search=recorder`)
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await page.locator('.bulk-bar').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Remove role' }).click()
  await topDialog(page).getByRole('button', { name: 'Remove role' }).click()
  await expect(topDialog(page).getByText('Please fill this in.', { exact: true })).toBeVisible()
  const choose = async (effect: string) => {
    await topDialog(page).getByRole('combobox', { name: 'Role' }).fill('libr')
    await page.getByRole('option', { name: /Library users/ }).click()
    await expect(topDialog(page).getByText(effect)).toBeVisible()
  }
  await choose('3 people change')
  await topDialog(page).getByRole('button', { name: 'Remove role' }).click()
  const notice = page.locator('.notice', { hasText: 'The role was removed from 3 people' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Role assigned to 3 people')).toBeVisible()

  await openPerson(page, 'recorder')
  const drawer = page.locator('dialog.drawer')
  for (const verb of ['Remove role', 'Assign role']) {
    await drawer.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: verb }).click()
    await choose('1 person changes')
    await topDialog(page).getByRole('button', { name: verb }).click()
    const roles = drawer.getByText(verb === 'Assign role' ? 'Library users' : 'No roles')
    await expect(roles).toBeVisible()
  }
})

test('the records of a person say why each login failed, with an icon as well as a colour', async ({
  browser,
  page,
  logIn,
}) => {
  const theirs = await browser.newContext()
  const person = await theirs.newPage()
  await person.goto('/auth_web/')
  await fillIn(person, 'pupil', 'not this one')
  await expect(person.locator('.alert')).not.toBeEmpty()
  await theirs.close()
  await logIn(page, 'root', PEOPLE)
  await openPerson(page, 'pupil')
  const drawer = page.locator('dialog.drawer')
  await expect(drawer.getByRole('region', { name: "Why they can't log in" })).toContainText('Wrong password')
  await drawer.getByRole('tab', { name: 'Records' }).click()
  const failed = drawer.getByRole('row').filter({ hasText: 'Refused' }).first()
  await expect(failed).toContainText('Wrong password')
  await expect(failed.locator('.result-danger svg')).toBeVisible()
})
