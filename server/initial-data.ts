import { ensureSetupLink } from './features/setup/index.ts'
import type { CloseFunction } from './platform/lifecycle.ts'
import type { Platform } from './platform/platform.ts'
import { replaceFileKeys } from './platform/settings.ts'

/**
 * Fills a database as configured: the bootstrap file, the demo school, or a setup link for the first administrator.
 * @returns what to print below the address. @throws ConfigurationError naming the wrong entry of the file.
 */
export async function loadInitialData(platform: Platform): Promise<string[]> {
  const { bootstrapFile } = platform.config
  if (bootstrapFile) {
    // Loaded only when there is a file: a start without one should not wait for its parser.
    const { applyBootstrapFile } = await import('./features/bootstrap/index.ts')
    const result = await applyBootstrapFile(platform, bootstrapFile)
    platform.log.info(result, 'bootstrap file applied')
  } else await replaceFileKeys(platform.sql, {})
  if (platform.config.demo) {
    const { loadDemoSchool } = await import('./features/demo/index.ts')
    if (await loadDemoSchool(platform)) platform.log.info('demo school loaded')
  }
  const link = await ensureSetupLink(platform)
  return link ? [`No administrator yet. Set up this installation once, at ${link}`] : []
}

/** Starts the demo applications if the demo school is loaded. @returns what to print: who can log in, with which password. */
export async function startDemo(platform: Platform, opened: CloseFunction[]): Promise<string[]> {
  if (!platform.config.demo) return []
  const { startDemoApplications } = await import('./demo-apps/index.ts')
  const applications = await startDemoApplications(platform)
  opened.push(applications.stop)
  const { demoAccounts, demoNewcomers } = await import('./features/demo/index.ts')
  const accounts = await demoAccounts(platform)
  if (!applications.bases || accounts.length === 0) return []
  const lines = accounts.map(
    ({ account, password, name, role }) => `  ${account.padEnd(12)}${password.padEnd(26)}${name}, ${ROLE_LABELS[role]}`,
  )
  const newcomers = (await demoNewcomers(platform)).map(
    ({ account, idNumber, name }) => `  ${account.padEnd(12)}ID number ${idNumber.padEnd(20)}  ${name}`,
  )
  const toActivate = newcomers.length > 0 ? ['Accounts to try the activation with:', ...newcomers] : []
  const { outboxAddress } = await import('./features/messages/index.ts')
  const outbox = `Mail and text messages of this demo: ${outboxAddress(platform)}`
  const vendors = Object.values(applications.bases.vendors)
  const simulated =
    vendors.length > 0 ? [`Simulated WeCom, DingTalk, WeChat, QQ and education platform: ${vendors.join(' ')}`] : []
  return ['Demo accounts of this installation:', ...lines, ...toActivate, outbox, ...simulated]
}

const ROLE_LABELS = {
  superUser: 'super user',
  teacher: 'teacher, administers the School of Information Science',
  student: 'student',
}
