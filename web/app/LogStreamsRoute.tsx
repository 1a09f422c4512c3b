import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { LogStreamsPage } from '../features/log-streams/LogStreamsPage.tsx'
import type { StreamSlots } from '../features/log-streams/StreamState.tsx'

const SLOTS: StreamSlots = { history: (id) => <HistoryTab kind="log-stream" id={id} /> }

export const LogStreamsRoute = () => <LogStreamsPage slots={SLOTS} />
