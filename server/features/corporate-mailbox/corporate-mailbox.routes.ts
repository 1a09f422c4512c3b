import {
  checkCorporateMailbox,
  corporateMailboxDetails,
  openMailbox,
  previewAddresses,
  updateCorporateMailbox,
} from '#shared/contract/corporate-mailbox.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changeMailboxes, checkMailboxes, describeMailboxes, previewMailboxes } from './corporate-mailbox.service.ts'
import { openOwnMailbox } from './mailbox-link.service.ts'

export function mountCorporateMailbox(api: Api): void {
  api.mount(corporateMailboxDetails, (ctx) => describeMailboxes(ctx))
  api.mount(updateCorporateMailbox, (ctx, { body }) => changeMailboxes(ctx, body))
  api.mount(checkCorporateMailbox, (ctx, { body }) => checkMailboxes(ctx, body))
  api.mount(previewAddresses, (ctx, { body }) => previewMailboxes(ctx, body))
  api.mount(openMailbox, (ctx) => openOwnMailbox(ctx))
}
