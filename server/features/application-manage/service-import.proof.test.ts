import { expect, test } from 'vitest'
import type { ImportedService } from '#shared/contract/service-import.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

test('a file full of long patterns is checked without blocking others', async () => {
  const pattern = `https://app.school.edu/(${'a|'.repeat(58)}b)${'c'.repeat(3800)}`
  const services = Array.from({ length: 200 }, (_, id) => ({
    '@class': 'org.apereo.cas.services.RegexRegisteredService',
    serviceId: id % 2 === 0 ? pattern : '('.repeat(900_000 / 200),
    name: `Service ${id}`,
    id,
  }))
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  const files = [{ name: 'all.json', text: JSON.stringify(services) }]
  let isChecked = false
  const checked = admin
    .call<{ services: ImportedService[] }>('/application_manage/import/check/', { body: { files } })
    .finally(() => {
      isChecked = true
    })
  let longest = 0
  while (!isChecked) {
    const asked = performance.now()
    await fetch(`${server.url}/healthz`)
    longest = Math.max(longest, performance.now() - asked)
  }
  const { data } = await checked
  expect(data.services.map(({ reason }) => reason)).toEqual(services.map((_, id) => (id % 2 ? 'too-long' : 'not-web')))
  expect(Math.max(...data.services.map(({ detail }) => detail?.length ?? 0))).toBeLessThanOrEqual(300)
  expect(longest).toBeLessThan(2000)
})
