import type { MessageChannel } from '../contract/message-routes.ts'

/** Is there anything to say about where a code may arrive? Not if only where the person asked for it. */
export function looksIn(channels: readonly MessageChannel[]): 'code.look-in' | 'code.look-in-order' | null {
  const [first, ...others] = channels
  if (others.length > 0) return 'code.look-in-order'
  return first === undefined || first === 'sms' || first === 'mail' ? null : 'code.look-in'
}
