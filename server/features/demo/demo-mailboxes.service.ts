import { MailboxSettings } from '#shared/contract/mailbox-settings.ts'
import { MAIL_PROVIDERS } from '../../../tools/simulators/index.ts'
import type { Context } from '../../platform/platform.ts'
import { installMailboxes } from '../corporate-mailbox/index.ts'
import type { DemoBases } from './demo-applications.rules.ts'

/** Sets up a simulated Tencent Exmail, with mailboxes by account for everybody but visiting scholars, whom no rule covers. */
export async function setUpMailboxes(ctx: Context, { mailboxes }: DemoBases): Promise<void> {
  if (mailboxes.exmail === undefined) return
  const categories = ['undergraduate', 'postgraduate', 'faculty', 'staff']
  await installMailboxes(ctx, {
    enabled: true,
    settings: MailboxSettings.parse(MAIL_PROVIDERS.exmail.settings(mailboxes.exmail)),
    rules: [{ categories, from: 'number', prefix: '', suffix: '', domain: 'example.edu' }],
  })
}
