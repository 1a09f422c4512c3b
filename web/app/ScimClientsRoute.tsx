import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import type { ScimSlots } from '../features/scim-clients/ScimClientDrawer.tsx'
import { ScimClientsPage } from '../features/scim-clients/ScimClientsPage.tsx'

const SLOTS: ScimSlots = { history: (id) => <HistoryTab kind="scim-client" id={id} /> }

export const ScimClientsRoute = () => <ScimClientsPage slots={SLOTS} />
