import { ConnectorFault, openMailboxes } from '../../connectors/index.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './corporate-mailbox.errors.ts'
import { findOwnMailbox } from './corporate-mailbox.service.ts'

/** Per person and minute: the provider limits the calls of the whole institution. */
const MAX_LINKS = 10
const WINDOW_SECONDS = 60

const REFUSALS = {
  'not-member': 'corporate-mailbox.unknown',
  'not-visible': 'corporate-mailbox.stopped',
  unavailable: 'corporate-mailbox.unavailable',
  unusable: 'corporate-mailbox.unusable',
} as const

/**
 * Requests a link into the caller's own mailbox. Only the rules decide whose it is; no input names an address.
 * @throws Refusal `corporate-mailbox.*`.
 */
export async function openOwnMailbox(ctx: Context): Promise<{ url: string }> {
  const { userId } = callerOf(ctx)
  if ((await ctx.state.increment('mailbox-link', userId, WINDOW_SECONDS)) > MAX_LINKS)
    throw errors['corporate-mailbox.too-many']({ retryAfter: WINDOW_SECONDS })
  const own = await findOwnMailbox(ctx)
  if (!own) throw errors['corporate-mailbox.none']()
  const { settings, address } = own
  const visitor = { address, ip: ctx.client.ip, isChinese: ctx.client.language.startsWith('zh') }
  const url = await openMailboxes(ctx, settings)
    .loginUrl(visitor)
    .catch((error: unknown) => {
      if (!(error instanceof ConnectorFault)) throw error
      const { reason, detail } = error
      ctx.log.info({ provider: settings.driver, reason, detail }, 'mailbox link')
      const known = Object.entries(REFUSALS).find(([one]) => one === reason)?.[1]
      throw errors[known ?? 'corporate-mailbox.misconfigured']({ params: { address } })
    })
  await recordAudit(ctx, {
    action: 'corporate-mailbox.open',
    targetKind: 'user',
    targetId: userId,
    userId,
    after: { mailbox: address },
  })
  return { url }
}
