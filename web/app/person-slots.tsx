import { PersonAccess } from '../features/application-grants/PersonAccess.tsx'
import { PersonHistoryTab } from '../features/change-history/HistoryTab.tsx'
import { PersonRoles } from '../features/roles/PersonRoles.tsx'
import type { PersonSlots } from '../features/users/PersonDrawer.tsx'
import { useMay } from '../platform/session.ts'

/** What other features show of a person. */
export const PERSON_SLOTS: PersonSlots = {
  access: ({ id, name }) => <PersonAccessTab userId={id} name={name} />,
  roles: ({ id }) => <PersonRoles userId={id} />,
  history: ({ id }) => <PersonHistoryTab userId={id} />,
}

function PersonAccessTab(person: { userId: string; name: string }) {
  return <PersonAccess {...person} mayAuthorise={useMay()('authorise')} />
}
