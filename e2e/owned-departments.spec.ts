import { treeLine } from './back-office.ts'
import { applyFirstRun, createFileSource, openSyncForm } from './directory-syncs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const DEPARTMENTS = 'id,parent,title,number\n1,0,Observatory,e2e-observatory\n2,1,Telescopes,e2e-telescopes\n'

test('a department of a source is read-only where the source fills it, and says whose it is', async ({
  page,
  logIn,
}) => {
  await createFileSource(page, logIn, { source: 'Faculty file', text: DEPARTMENTS, rows: 2, key: 'id' })
  const form = await openSyncForm(page, { source: 'Faculty file', sync: 'Owning faculties' })
  await choose(form.getByLabel('What is read', { exact: true }), 'Departments')
  await choose(form.getByLabel('Key column', { exact: true }), 'id')
  await choose(form.getByLabel('Column with the parent department', { exact: true }), 'parent')
  await form.getByLabel('Parent value 1').fill('0')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Owning faculties saved')).toBeVisible()
  await applyFirstRun(page, 'Owning faculties')

  await page.goto('/auth_web/manage/organization')
  await treeLine(page, 'Observatory').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename and edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “Observatory”' })
  const owned = 'Comes from Faculty file and is changed there.'
  for (const field of ['Name', 'Code']) {
    await expect(dialog.getByLabel(field, { exact: true })).toBeDisabled()
    await expect(dialog.getByLabel(field, { exact: true })).toHaveAccessibleDescription(owned)
  }
  const owners = dialog.locator('.field-owners')
  await expect(owners).toContainText('Faculty file (Owning faculties): Name, Code, Parent department since')
  await expect(owners.getByRole('link', { name: 'Show run' })).toBeVisible()
  // What nobody else fills is still the institution's own.
  await dialog.getByLabel('Name in Simplified Chinese').fill('天文台')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('“Observatory” saved')).toBeVisible()

  await treeLine(page, 'Observatory').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move', exact: true }).click()
  const mover = page.getByRole('dialog', { name: 'Move “Observatory”' })
  await expect(mover.getByLabel('Parent organisation', { exact: true })).toBeDisabled()
  await expect(mover.getByText(owned)).toBeVisible()
  await expect(mover.getByLabel('Position', { exact: true })).toBeEnabled()
})
