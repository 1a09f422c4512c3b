import { expect, test } from 'vitest'
import { openPortal } from '../../testing/portal.ts'
import { PEOPLE as BASE, details, school, verb } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

test('the reason of a freeze is shown to the person, and the note only to colleagues', async () => {
  const server = await testServer()
  const { id } = await school(server)
  const page = await openPortal(server, { isSuperUser: true })
  const lisi = id('20260002')
  const why = { reason: 'On leave', note: 'File 12/26' }
  await verb(page, lisi, 'freeze', why)
  expect((await details(page, lisi)).data.states).toMatchObject([{ state: 'frozen', ...why }])
  const listed = await page.call<{ records: object[] }>(`${BASE}/frozen/query/`)
  expect(listed.data.records).toMatchObject([why])
  await verb(page, lisi, 'thaw')
  const theirs = await openPortal(server, { userId: lisi })
  const told = await theirs.call('/certification_record/account_maintenance/')
  expect(JSON.stringify(told.envelope)).toContain('On leave')
  expect(JSON.stringify(told.envelope)).not.toContain('File 12')
  const body = { selection: { ids: [lisi] }, verb: 'freeze', note: 'File 13/26' }
  await page.call(`${BASE}/batch_change/`, { body })
  expect((await details(page, lisi)).data.states).toMatchObject([{ reason: null, note: 'File 13/26' }])
})
