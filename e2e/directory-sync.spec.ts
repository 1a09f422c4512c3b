import { applyFirstRun, createFileSync } from './directory-syncs.ts'
import { expect, test } from './fixtures.ts'

test('people of an uploaded file are planned, held, approved and created', async ({ page, logIn }) => {
  await createFileSync(page, logIn, { source: 'Student file', sync: 'Students', prefix: 'sync' })
  await applyFirstRun(page, 'Students')
  await expect(page.getByText('Person 0 (sync0)')).toBeVisible()
})
