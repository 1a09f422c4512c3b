import { LazyAuthorisedAppsDialog } from '../features/application-grants/LazyAuthorisedAppsDialog.tsx'
import { MemberApplications } from '../features/application-grants/MemberApplications.tsx'
import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { RoleManagePage, type RoleSlots } from '../features/roles/RoleManagePage.tsx'
import { TaskDialog } from './TaskDialog.tsx'

const SLOTS: RoleSlots = {
  applications: (roleId) => <MemberApplications memberId={roleId} />,
  history: (roleId) => <HistoryTab kind="role" id={roleId} />,
  task: (id, onClose) => <TaskDialog id={id} onClose={onClose} />,
  authorise: (roleId, onClose) => <LazyAuthorisedAppsDialog memberId={roleId} onClose={onClose} />,
}

/** The roles, with what other features know of each. */
export const RoleManageRoute = () => <RoleManagePage slots={SLOTS} />
