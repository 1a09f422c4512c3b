export { mountDataSources } from './data-sources.routes.ts'
export { dataSourceRestorer, findSource, findSourceKind, sourceVersion } from './data-sources.service.ts'
export { maskValue } from './mask-value.rules.ts'
export { describeStoredFault, openStoredSource, sourceProblem } from './open-source.service.ts'
