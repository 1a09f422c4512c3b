import { Suspense } from 'react'
import { KickedOut } from '#shared/contract/sessions.ts'
import { CurrentLoginManagePage, type CurrentLoginSlots } from '../features/sessions/CurrentLoginManagePage.tsx'
import { lazyPart } from '../platform/lazy-part.ts'

/** Loaded on demand: few logouts are large enough to run as a task. */
const TaskDialog = lazyPart(() => import('./TaskDialog.tsx'), 'TaskDialog')

const SLOTS: CurrentLoginSlots = {
  task: (id, onClose, onEnded) => (
    <Suspense>
      <TaskDialog
        id={id}
        onClose={onClose}
        onEnded={({ error, result }) => {
          // Keep errors visible.
          if (!error) onEnded(KickedOut.parse(result).ended)
        }}
      />
    </Suspense>
  ),
}

/** Everyone who is logged in, with the progress of the task that ends some of the logins. */
export const CurrentLoginManageRoute = () => <CurrentLoginManagePage slots={SLOTS} />
