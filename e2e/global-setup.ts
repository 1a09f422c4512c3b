import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PgBoss } from 'pg-boss'
import { openTemplateDatabase } from '../server/testing/template-database.ts'
import { requireChromium } from './chromium.ts'

const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled-tests', import.meta.url))
const PREPARE = fileURLToPath(new URL('../tools/prepare.mjs', import.meta.url))

/**
 * Builds what has changed since the last build, and starts one database server for all journeys, with a migrated database that each server
 * clones.
 * @throws Error without a browser, or if a build fails: every journey would fail for that.
 */
export default async function setup(): Promise<() => Promise<void>> {
  requireChromium()
  execFileSync(process.execPath, [PREPARE, 'test'], { stdio: 'inherit' })
  const { adminUrl, template, drop } = await openTemplateDatabase()
  await prepareJobQueue(adminUrl, template)
  process.env['DATABASE_URL'] = adminUrl
  process.env['TEMPLATE_DATABASE'] = template
  // For the workers, which start after this: Playwright's code compiled once, and room for the garbage of its messages.
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --max-semi-space-size=64`
  return drop
}

/** The tables of the job queue, which each server would otherwise create in its clone. */
async function prepareJobQueue(adminUrl: string, template: string): Promise<void> {
  const url = new URL(adminUrl)
  url.pathname = `/${template}`
  const boss = new PgBoss({ connectionString: url.href, max: 1, schedule: false, supervise: false })
  await boss.start()
  await boss.stop({ close: true, graceful: false })
}
