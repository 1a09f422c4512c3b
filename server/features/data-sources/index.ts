export { mountDataSources } from './data-sources.routes.ts'
export { dataSourceRestorer, findSourceKind, sourceVersion } from './data-sources.service.ts'
export { openStoredSource, sourceProblem } from './open-source.service.ts'
