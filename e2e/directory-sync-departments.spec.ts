import { applyFirstRun, createFileSource, createFileSync, openSyncForm } from './directory-syncs.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const DEPARTMENTS = 'id,parent,title,number\n1,0,Faculty of Maps,maps\n2,1,Cartography,carto\n3,1,Atlases,atlas\n'

test('departments of a file are planned as a tree, approved and created', async ({ page, logIn }) => {
  await createFileSource(page, logIn, { source: 'Department file', text: DEPARTMENTS, rows: 3, key: 'id' })
  const form = await openSyncForm(page, { source: 'Department file', sync: 'Faculties' })
  await choose(form.getByLabel('What is read', { exact: true }), 'Departments')
  await choose(form.getByLabel('Key column', { exact: true }), 'id')
  await expect(form.getByLabel('title', { exact: true })).toContainText('Name')
  await expect(form.getByLabel('number', { exact: true })).toContainText('Code')
  await choose(form.getByLabel('Column with the parent department', { exact: true }), 'parent')
  await form.getByLabel('Parent value 1').fill('0')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Faculties saved')).toBeVisible()
  await applyFirstRun(page, 'Faculties')
  await expect(page.getByText('Cartography (carto)')).toBeVisible()
})

test('values go through transforms, with a preview of the results', async ({ page, logIn }) => {
  await createFileSync(page, logIn, { source: 'Staff file', sync: 'Staff', prefix: 'step', count: 3 })
  await page.getByRole('button', { name: 'Edit Staff' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Staff' })
  await form.getByText('Transforms (0)').click()
  await form.getByRole('button', { name: 'Add a step for Name' }).click()
  await page.getByRole('menuitem', { name: 'Replace text' }).click()
  await form.getByLabel('Find', { exact: true }).fill('Person')
  await form.getByLabel('Replace with', { exact: true }).fill('Teacher')
  await form.getByRole('button', { name: 'Add a step for Name' }).click()
  await page.getByRole('menuitem', { name: 'Upper case' }).click()
  await form.getByText('Preview of the first 20 rows').click()
  await expect(form.getByRole('cell', { name: 'TEACHER 2' })).toBeVisible()
  await form.getByRole('button', { name: 'Move step 2 of Name up' }).click()
  await expect(form.getByRole('cell', { name: 'PERSON 2' })).toBeVisible()
  // On a phone the table scrolls, and not the form with it.
  const size = page.viewportSize() ?? { width: 1366, height: 768 }
  await page.setViewportSize({ width: 390, height: 844 })
  const table = form.getByRole('region', { name: 'Preview of the first 20 rows' })
  const isWider = (node: HTMLElement | SVGElement) => node.scrollWidth > node.clientWidth
  await expect.poll(() => table.evaluate(isWider)).toBe(true)
  expect(await form.evaluate(isWider)).toBe(false)
  await page.setViewportSize(size)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Staff saved')).toBeVisible()
})
