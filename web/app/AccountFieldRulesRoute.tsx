import { AccountFieldRulesPage } from '../features/account-fields/AccountFieldRulesPage.tsx'
import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { TaskDialog } from './TaskDialog.tsx'

/** The rules of the fields of a person, with what changed them. */
export const AccountFieldRulesRoute = () => (
  <AccountFieldRulesPage
    history={<HistoryTab kind="settings" id="accountFields" />}
    task={(id, isOpen, onClose) => <TaskDialog key={id} id={id} isOpen={isOpen} onClose={onClose} />}
  />
)
