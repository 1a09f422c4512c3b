import { Suspense } from 'react'
import { PersonHistoryTab } from '../features/change-history/HistoryTab.tsx'
import type { PersonSlots } from '../features/users/PersonDrawer.tsx'
import { lazyPart } from '../platform/lazy-part.ts'
import { useMay } from '../platform/session.ts'
import { Skeleton } from '../ui/PageSkeleton.tsx'

const PersonAccess = lazyPart(() => import('../features/application-grants/PersonAccess.tsx'), 'PersonAccess')
const CheckAccessDialog = lazyPart(
  () => import('../features/application-grants/CheckAccessDialog.tsx'),
  'CheckAccessDialog',
)
const PersonRoles = lazyPart(() => import('../features/roles/PersonRoles.tsx'), 'PersonRoles')

/** What other features contribute to a person's page. */
export const PERSON_SLOTS: PersonSlots = {
  access: ({ id, name }) => <PersonAccessTab userId={id} name={name} />,
  roles: ({ id }) => (
    <Suspense fallback={<Skeleton lines={1} />}>
      <PersonRoles userId={id} />
    </Suspense>
  ),
  application: ({ id }, onClose) => (
    <Suspense>
      <CheckAccessDialog of={{ userId: id }} onClose={onClose} />
    </Suspense>
  ),
  history: ({ id }) => <PersonHistoryTab userId={id} />,
}

function PersonAccessTab(person: { userId: string; name: string }) {
  const mayAuthorise = useMay()('authorise')
  return (
    <Suspense fallback={<Skeleton lines={4} />}>
      <PersonAccess {...person} mayAuthorise={mayAuthorise} />
    </Suspense>
  )
}
