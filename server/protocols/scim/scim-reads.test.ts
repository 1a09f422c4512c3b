import { expect, test } from 'vitest'
import { insertPerson, openPortal } from '../../testing/portal.ts'
import { rowsRead, type Statement } from '../../testing/rows-read.ts'
import { openScim, usersWhere } from '../../testing/scim.ts'
import { testServer } from '../../testing/server.ts'

test('a person looked up by account, address or external id is found by an index', async () => {
  const said: Statement[] = []
  const server = await testServer({ onStatement: (text, parameters) => said.push({ text, parameters }) })
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const hr = await openScim(root)
  for (let n = 0; n < 60; n++) await insertPerson(server, { account: `person-${n}` })
  await hr.call('POST', '/Users', {
    userName: 'one',
    externalId: 'x',
    displayName: 'One',
    emails: [{ value: 'o@x.edu' }],
  })
  await server.platform.sql`analyze users`
  for (const filter of ['userName eq "ONE"', 'emails[type eq "work" and value eq "o@x.edu"]', 'externalId eq "x"']) {
    said.length = 0
    expect((await hr.call('GET', usersWhere(filter))).body.totalResults).toBe(1)
    const asked = said.filter(({ text }) => /from users u left join organizations o/.test(text))
    expect(asked).toHaveLength(2)
    for (const statement of asked)
      expect([filter, (await rowsRead(server.platform.sql, statement)).get('users')]).toEqual([filter, 1])
  }
})
