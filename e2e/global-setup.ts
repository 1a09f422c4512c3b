import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openTemplateDatabase } from '../server/testing/template-database.ts'
import { requireChromium } from './chromium.ts'

const BUILT = ['dist/portal/index.html', 'dist/login/.vite/manifest.json', 'dist/login-server/render.js']

/**
 * One database server for all journeys, and a migrated database that each server clones.
 * @throws Error without a browser or the built pages: every journey would fail for that.
 */
export default async function setup(): Promise<() => Promise<void>> {
  requireChromium()
  const missing = BUILT.filter((file) => !existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))))
  if (missing.length > 0) throw new Error(`Not built yet: ${missing.join(', ')}. Run "npm run build" first.`)
  const { adminUrl, template, drop } = await openTemplateDatabase()
  process.env['DATABASE_URL'] = adminUrl
  process.env['TEMPLATE_DATABASE'] = template
  return drop
}
