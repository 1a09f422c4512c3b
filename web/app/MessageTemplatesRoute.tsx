import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { MessageTemplatesPage } from '../features/languages/MessageTemplatesPage.tsx'

/** What messages say, with the history of the provider's templates. */
export const MessageTemplatesRoute = () => (
  <MessageTemplatesPage history={<HistoryTab kind="settings" id="smsTemplates" />} />
)
