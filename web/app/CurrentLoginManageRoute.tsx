import { Suspense } from 'react'
import { KickedOut } from '#shared/contract/sessions.ts'
import { CurrentLoginManagePage, type CurrentLoginSlots } from '../features/sessions/CurrentLoginManagePage.tsx'
import { lazyPart } from '../platform/lazy-part.ts'

/** Few logins end in such numbers. */
const TaskDialog = lazyPart(() => import('./TaskDialog.tsx'), 'TaskDialog')

const SLOTS: CurrentLoginSlots = {
  task: (id, onClose, onEnded) => (
    <Suspense>
      <TaskDialog
        id={id}
        onClose={onClose}
        onEnded={({ error, result }) => {
          // What went wrong stays to be read.
          if (!error) onEnded(KickedOut.parse(result).ended)
        }}
      />
    </Suspense>
  ),
}

/** Everyone who is logged in, with how far the task is that ends some of it. */
export const CurrentLoginManageRoute = () => <CurrentLoginManagePage slots={SLOTS} />
