import { AccountFieldRulesPage } from '../features/account-fields/AccountFieldRulesPage.tsx'
import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { TaskDialog } from './TaskDialog.tsx'

/** The rules of account fields, with their change history. */
export const AccountFieldRulesRoute = () => (
  <AccountFieldRulesPage
    history={<HistoryTab kind="settings" id="accountFields" />}
    task={(id, isOpen, onClose) => <TaskDialog key={id} id={id} isOpen={isOpen} onClose={onClose} />}
  />
)
