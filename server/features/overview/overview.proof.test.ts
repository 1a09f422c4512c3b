import { expect, test } from 'vitest'
import type { Overview } from '#shared/contract/overview.ts'
import { startJobs } from '../../platform/jobs.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

const PATH = '/overview/query/'
const look = async (page: Portal) => (await page.call<Overview>(PATH)).data

test('a job that failed or did not run is reported, with the name of the error and never its message', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  const jobs = [
    { name: 'well.done', cron: '* * * * *', run: async () => {} },
    {
      name: 'well.broken',
      cron: '* * * * *',
      run: async () => {
        throw new TypeError('the password is 123')
      },
    },
  ]
  const running = startJobs(server.platform, jobs)
  for (const { name } of jobs) await running.runSoon(name)
  const finished = () => server.platform.sql`select from job_runs where finished_at is not null`
  await expect.poll(async () => (await finished()).length, { timeout: 15_000 }).toBe(2)
  await running.stop()
  const day = await look(admin)
  expect(day.jobs).toMatchObject([
    { name: 'well.broken', state: 'failed', error: 'TypeError' },
    { name: 'well.done', state: 'well', error: null },
  ])
  expect(JSON.stringify(day)).not.toContain('password is')
  expect(day.todos).toEqual([{ kind: 'jobs', count: 1 }])
  server.advance(3600)
  const later = await openPortal(await server.secondNode(), { isSuperUser: true })
  expect((await look(later)).jobs.find(({ name }) => name === 'well.done')?.state).toBe('late')
})
