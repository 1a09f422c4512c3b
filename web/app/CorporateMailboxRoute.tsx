import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { MailboxPage } from '../features/corporate-mailbox/MailboxPage.tsx'
import { MailboxProvisioning } from '../features/directory-syncs/MailboxProvisioning.tsx'
import { CheckPanel } from '../features/vendors/VendorCheckPanel.tsx'
import '../features/vendors/vendors.css'

export const CorporateMailboxRoute = () => (
  <MailboxPage
    provisioning={<MailboxProvisioning />}
    history={<HistoryTab kind="corporate-mailbox" id="mailbox" />}
    checkPanel={(panel) => <CheckPanel key={panel.vendor} {...panel} />}
  />
)
