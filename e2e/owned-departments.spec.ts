import type { Page } from '@playwright/test'
import { treeLine } from './back-office.ts'
import { applyFirstRun, createFileSource, openSyncForm } from './directory-syncs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

type LogIn = Parameters<typeof createFileSource>[1]

/** A source and its sync of departments, applied; ends on the page of organisations. */
async function syncDepartments(
  page: Page,
  logIn: LogIn,
  { text, rows, order, ...names }: { source: string; sync: string; text: string; rows: number; order?: string },
): Promise<void> {
  await createFileSource(page, logIn, { source: names.source, text, rows, key: 'id' })
  const form = await openSyncForm(page, names)
  await choose(form.getByLabel('What is read', { exact: true }), 'Departments')
  await choose(form.getByLabel('Key column', { exact: true }), 'id')
  await choose(form.getByLabel('Column with the parent department', { exact: true }), 'parent')
  await form.getByLabel('Parent value 1').fill('0')
  if (order) await choose(form.getByLabel(order, { exact: true }), 'Position')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${names.sync} saved`)).toBeVisible()
  await applyFirstRun(page, names.sync)
  await page.goto('/auth_web/manage/organization')
}

const DEPARTMENTS = 'id,parent,title,number\n1,0,Observatory,e2e-observatory\n2,1,Telescopes,e2e-telescopes\n'

test('a department of a source is read-only where the source fills it, and says whose it is', async ({
  page,
  logIn,
}) => {
  await syncDepartments(page, logIn, { source: 'Faculty file', sync: 'Owning faculties', text: DEPARTMENTS, rows: 2 })
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

test('the tree moves a department only as far as its source leaves it free', async ({ page, logIn }) => {
  const text = 'id,parent,title,number\n1,0,Aquarium,e2e-aquarium\n2,1,Basins,e2e-basins\n3,1,Coral,e2e-coral\n'
  await syncDepartments(page, logIn, { source: 'Sea file', sync: 'Seas', text, rows: 3 })
  const basins = treeLine(page, 'Basins')
  const coral = treeLine(page, 'Coral')
  await treeLine(page, 'Aquarium').click()
  await page.keyboard.press('ArrowRight')
  await expect(coral).toHaveAccessibleDescription(
    'Coral Its parent comes from Sea file and is changed there; only its order can be changed here.',
  )
  // Another parent is no target, a place among its siblings is.
  await coral.dragTo(treeLine(page, 'Demo University'))
  await coral.dragTo(basins)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await coral.dragTo(basins, { targetPosition: { x: 60, y: 3 } })
  const reorder = page.getByRole('dialog', { name: 'Change the order of “Coral”?' })
  await reorder.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('“Coral” moved')).toBeVisible()
})

test('a department whose order is a source’s too can be neither dragged nor moved, and says why', async ({
  page,
  logIn,
}) => {
  const text = 'id,parent,title,number,order\n1,0,Palm house,e2e-palms,1\n2,1,Ferns,e2e-ferns,2\n'
  await syncDepartments(page, logIn, { source: 'Garden file', sync: 'Gardens', text, rows: 2, order: 'order' })
  const palms = treeLine(page, 'Palm house')
  const owned = 'Its place comes from Garden file and is changed there.'
  await expect(palms).toHaveAttribute('draggable', 'false')
  await expect(palms).toHaveAccessibleDescription(`Palm house ${owned}`)
  await palms.click({ button: 'right' })
  const move = page.getByRole('menuitem', { name: 'Move', exact: true })
  await expect(move).toBeDisabled()
  await expect(move).toHaveAccessibleDescription(owned)
  await expect(page.getByRole('menuitem', { name: 'Rename and edit', exact: true })).toBeEnabled()
})
