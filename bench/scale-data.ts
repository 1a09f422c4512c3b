/**
 * Fills an empty database with a large institution, always the same one:
 *   DATABASE_URL=postgres://… npm run scale-data -- [--people 1000000] [--organizations 10000] [--applications 300]
 *     [--records 20000000]
 * Half of the organisations are children of one ("classes"). Nobody has a password except `scale-admin`, whose password
 * is printed. Generated in the database, in batches; after an interrupted run drop the database.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { hash } from '@node-rs/argon2'
import { openPlatform } from '../server/open-platform.ts'
import { readConfig } from '../server/platform/config.ts'
import type { CloseFunction } from '../server/platform/lifecycle.ts'
import { writeApplications } from './scale-data.applications.ts'
import { writeOrganizations, writePeople, writeReferenceData } from './scale-data.people.ts'
import { writeRecords } from './scale-data.records.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    organizations: { type: 'string', default: '10000' },
    applications: { type: 'string', default: '300' },
    records: { type: 'string', default: '20000000' },
  },
})

async function main(opened: CloseFunction[]): Promise<void> {
  const { DATABASE_URL } = process.env
  if (!DATABASE_URL) throw new Error('DATABASE_URL names the empty database to fill')
  const config = readConfig({ SECRET_KEY: randomBytes(32).toString('hex'), LOG_LEVEL: 'warn', ...process.env })
  const { sql, now } = (await openPlatform(config, opened, () => {})).background
  const [filled] = await sql`select 1 from users limit 1`
  if (filled) throw new Error('the database has people already: this needs an empty one')
  const at = now()
  const step = async (what: string, work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    console.log(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await step('reference data', () => writeReferenceData(sql))
  await step('organisations', () => writeOrganizations(sql, Number(values.organizations), at))
  await step('people', () => writePeople(sql, Number(values.people), at, passwordHash))
  await step('applications', () => writeApplications(sql, Number(values.applications), at))
  await step('records', () => writeRecords(sql, Number(values.records), at))
  await step('statistics', () => sql`vacuum (analyze)`)
  console.log(`scale-admin ${password}`)
}

const opened: CloseFunction[] = []
try {
  await main(opened)
} finally {
  for (const close of opened.reverse()) await close()
}
