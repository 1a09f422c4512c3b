import { expect, test } from 'vitest'
import type { UserDetails } from '#shared/contract/users.ts'
import { messagesTo, outboxOf } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { PEOPLE, school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

test('a changed phone or mailbox is announced to the former one, where the owner would notice somebody else’s change', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  const { organizationId, id } = await school(server)
  const dean = await openPortal(server, { permissions: ['edit'], administers: organizationId('cs') })
  const han = await addPerson(server, { account: 'han', organization: 'cs', mailbox: 'han@example.edu' })
  const update = async (userId: string, fields: object) => {
    const { data } = await dean.call<UserDetails>(`${PEOPLE}/${userId}/full_details/`)
    const body = { version: data.version, ...fields }
    expect((await dean.call(`${PEOPLE}/${userId}/update/`, { body })).status).toBe(200)
  }
  await update(han, { gender: 'male', phone: '13800000007' })
  await update(han, { mailbox: 'deans-own@example.com' })
  const [notice] = await messagesTo(server, 'han@example.edu')
  expect(notice?.text).toMatch(/mailbox|email/i)
  // For somebody who has not activated yet, a wrong address is merely corrected.
  await server.platform.sql`update users set activated = false where id = ${id('20260002')}`
  await update(id('20260002'), { mailbox: 'right@example.edu' })
  await messagesTo(server, '+8613800000007')
  const told = (await outboxOf(server)).map(({ to }) => to)
  expect(told.toSorted()).toEqual(['+8613800000007', 'han@example.edu'])
})
