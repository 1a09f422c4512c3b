import { MESSAGE_CHANNELS, type StoredRoutes } from '#shared/contract/message-routes.ts'
import type { Context } from '../../platform/platform.ts'
import { isChannelConfigured, loadMessageLimits } from './gateways.service.ts'
import { findChannelsDown } from './gateways.store.ts'
import { listUsage } from './messages.store.ts'
import { localTime } from './quiet-hours.rules.ts'

/** The current state of each channel. */
export async function describeChannels(ctx: Context): Promise<StoredRoutes['channels']> {
  const { timeZone } = await loadMessageLimits(ctx)
  const { day } = localTime(ctx.now(), timeZone)
  const [down, used] = [await findChannelsDown(ctx.db, ctx.now()), await listUsage(ctx.db, day)]
  const states: StoredRoutes['channels'] = []
  for (const channel of MESSAGE_CHANNELS) {
    const isConfigured = await isChannelConfigured(ctx, channel)
    states.push({ channel, isConfigured, isDown: down.has(channel), usedToday: used.get(channel) ?? 0 })
  }
  return states
}
