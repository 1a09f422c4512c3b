import type { MessageChannel } from '../contract/message-routes.ts'

type Translate = {
  (key: `code.channel.${MessageChannel}` | 'list.separator'): string
  (key: 'code.look-in' | 'code.look-in-order', params: { channels: string }): string
}

/** Where a code may arrive; '' if only where the person asked for it. */
export function whereToLook(t: Translate, channels: readonly MessageChannel[]): string {
  const [first, ...others] = channels
  const isAsked = first === undefined || first === 'sms' || first === 'mail'
  if (isAsked && others.length === 0) return ''
  const names = channels.map((channel) => t(`code.channel.${channel}`)).join(t('list.separator'))
  return t(others.length > 0 ? 'code.look-in-order' : 'code.look-in', { channels: names })
}
