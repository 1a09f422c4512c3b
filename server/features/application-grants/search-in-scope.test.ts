import { expect, test } from 'vitest'
import { addCasApplication } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { school } from '../../testing/school.ts'
import { testServer } from '../../testing/server.ts'

test('people elsewhere, however many, do not displace anybody from the grants found', async () => {
  const server = await testServer()
  const { id, organizationId } = await school(server)
  const { sql, now } = server.platform
  await addCasApplication(server, { appId: 'library', type: 'system' })
  await sql`
    insert into users (id, account, name, name_pinyin, organization_id, created_at, updated_at)
    select gen_random_uuid(), '2026' || n, '张' || n, 'zhang', ${organizationId('art')}, ${now()}, ${now()} from generate_series(10000, 11500) n`
  const dean = await openPortal(server, { permissions: ['authorise'], administers: organizationId('cs') })
  await dean.call('/application_grant/bind/', { body: { memberId: id('20260001'), appIds: ['library'] } })
  for (const search of ['2026', 'zhang', '张']) {
    const path = `/application_grant/query/?search=${encodeURIComponent(search)}`
    const { data } = await dean.call<{ records: { code: string }[]; total: number }>(path)
    expect([search, data.total, data.records.map(({ code }) => code)]).toEqual([search, 1, ['20260001']])
  }
})
