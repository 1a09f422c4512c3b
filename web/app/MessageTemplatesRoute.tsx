import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { MessageTemplatesPage } from '../features/languages/MessageTemplatesPage.tsx'

/** The message texts, with the history of the provider's templates. */
export const MessageTemplatesRoute = () => (
  <MessageTemplatesPage history={<HistoryTab kind="settings" id="smsTemplates" />} />
)
