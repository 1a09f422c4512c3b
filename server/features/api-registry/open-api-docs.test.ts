import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openClient } from '../../testing/open-api.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'

const run = promisify(execFile)
const PAGE = readFileSync(new URL('../../../docs/open-api.md', import.meta.url), 'utf8')
const example = (language: string) => new RegExp(`\`\`\`${language} run\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? ''

test('the examples of the documentation work as written', async () => {
  const server = await testServer()
  const admin = await openPortal(server, { isSuperUser: true })
  await addPerson(server, { account: '20260001', name: 'Li Lei' })
  const id = await addCasApplication(server, { appId: 'library', attributes: ['name'] })
  const { appId, appKey } = await openClient(admin, id, ['person.read', 'visit.record'])
  const env = { PATH: process.env['PATH'], GATEHOUSE: server.url, APP_ID: appId, APP_KEY: appKey }
  const node = await run(process.execPath, ['--input-type=module', '-e', example('js')], { env })
  expect(node.stdout).toContain("20260001 true { name: [ 'Li Lei' ] }")
  expect(await server.platform.sql`select entry from visit_records`).toMatchObject([{ entry: 'application' }])
  // Where the tools of the second example are missing, the first one suffices.
  const hasTools = run('sh', ['-c', 'command -v curl && command -v openssl'])
  if (!(await hasTools.catch(() => null))) return
  const shell = await run('sh', ['-c', example('sh')], { env })
  expect(JSON.parse(shell.stdout)).toMatchObject({ state: 200, data: { user: '20260001', active: true } })
})

test('the documentation names every interface and every authorisation error', () => {
  const contract = readFileSync(new URL('../../../shared/contract/open-api.ts', import.meta.url), 'utf8')
  const named = [...contract.matchAll(/apiId: '([^']+)'|'(open-api\.[a-z-]+)',\n/g)].map(([, api, code]) => api ?? code)
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([])
})
