import type { MailboxSettings } from '#shared/contract/mailbox-settings.ts'
import type { ConnectorContext } from '../connector.types.ts'
import { alimail } from './alimail.service.ts'
import { coremail } from './coremail.service.ts'
import { exmail } from './exmail.service.ts'
import type { MailboxConnection } from './mailbox-driver.types.ts'
import { netease } from './netease.service.ts'

/** The mail provider for these settings, secrets included. */
export function openMailboxes(context: ConnectorContext, settings: MailboxSettings): MailboxConnection {
  switch (settings.driver) {
    case 'exmail':
      return exmail(context, settings)
    case 'coremail':
      return coremail(context, settings)
    case 'netease':
      return netease(context, settings)
    case 'alimail':
      return alimail(context, settings)
  }
}
