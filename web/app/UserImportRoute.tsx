import { TaskProgress } from '../features/background-tasks/TaskProgress.tsx'
import { UserImportPage } from '../features/user-imports/UserImportPage.tsx'

/** The import of people, with the progress of what goes on in the background. */
export const UserImportRoute = () => <UserImportPage progress={TaskProgress} />
