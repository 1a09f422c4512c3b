import { type Context, transaction } from '../../platform/platform.ts'
import type { SaidRule } from '../access/index.ts'
import { notifyPerson } from '../messages/index.ts'

const NOTICE_SECONDS = 3600

/** Notifies the person by mail of a login to which a notifying rule applies; at most one mail per hour and rule. */
export async function sendRuleNotices(ctx: Context, userId: string, said: readonly SaidRule[]): Promise<void> {
  for (const { rule, outcome, mode } of said) {
    if (outcome !== 'notify' || mode !== 'on') continue
    if ((await ctx.state.increment('rule-notice', `${rule} ${userId}`, NOTICE_SECONDS)) > 1) continue
    const params = { address: ctx.client.ip }
    await transaction(ctx, (inner) =>
      notifyPerson(inner, { userId, template: 'notice.rule-login', params, except: 'sms' }),
    )
  }
}
