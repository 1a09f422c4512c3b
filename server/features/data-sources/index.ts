export { mountDataSources } from './data-sources.routes.ts'
export { dataSourceRestorer } from './data-sources.service.ts'
