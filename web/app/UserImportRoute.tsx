import { TaskProgress } from '../features/background-tasks/TaskProgress.tsx'
import { UserImportPage } from '../features/user-imports/UserImportPage.tsx'

/** The import of people, with the progress of its background task. */
export const UserImportRoute = () => <UserImportPage progress={TaskProgress} />
