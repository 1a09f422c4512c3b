import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { DataSourcesPage } from '../features/data-sources/DataSourcesPage.tsx'
import type { SourceSlots } from '../features/data-sources/SourceState.tsx'

const SLOTS: SourceSlots = { history: (id) => <HistoryTab kind="data-source" id={id} /> }

export const DataSourcesRoute = () => <DataSourcesPage slots={SLOTS} />
