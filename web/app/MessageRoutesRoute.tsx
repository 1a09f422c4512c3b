import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { MessagePage } from '../features/message-routes/MessagePage.tsx'

export const MessageRoutesRoute = () => (
  <MessagePage
    history={<HistoryTab kind="settings" id="messageRoutes" />}
    gatewayHistory={<HistoryTab kind="settings" id="messageGateway" />}
  />
)
