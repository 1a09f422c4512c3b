import { onTestFinished } from 'vitest'
import type { AddressRule, MailboxDriver } from '#shared/contract/mailbox-settings.ts'
import { MAIL_PROVIDERS, type Simulator, startSimulator } from '../../tools/simulators/index.ts'
import type { Portal } from './portal.ts'
import type { TestServer } from './server.ts'

export const BY_NUMBER: AddressRule = { categories: [], from: 'number', prefix: '', suffix: '', domain: 'example.edu' }

/** A simulated mail provider, set up by a super user; closed after the test. */
export async function addMailboxes(
  server: TestServer,
  root: Portal,
  driver: MailboxDriver,
  given: { rules?: AddressRule[]; settings?: object; enabled?: boolean } = {},
): Promise<Simulator> {
  const simulator = await startSimulator(MAIL_PROVIDERS[driver], {
    trustedOrigin: server.url,
    now: server.platform.now,
  })
  onTestFinished(() => simulator.close())
  await server.platform.sql`delete from corporate_mailbox`
  await server.platform.cache.invalidate(server.platform.sql, 'corporate-mailbox')
  const { rules = [BY_NUMBER], settings, enabled = true } = given
  const body = {
    version: 0,
    enabled,
    rules,
    settings: { ...MAIL_PROVIDERS[driver].settings(simulator.url), ...settings },
  }
  const saved = await root.call('/corporate_mailbox/update/', { body })
  if (saved.status !== 200) throw new Error(`not set up: ${JSON.stringify(saved.envelope)}`)
  return simulator
}
