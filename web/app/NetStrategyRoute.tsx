import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { NetStrategyPage, type RangeSlots } from '../features/ip-ranges/NetStrategyPage.tsx'

const SLOTS: RangeSlots = { history: (id) => <HistoryTab kind="ip-range" id={id} /> }

/** The IP ranges with the history of each. */
export const NetStrategyRoute = () => <NetStrategyPage slots={SLOTS} />
