export { lockResource, type ResourceChange, type ResourceStore, resourceService } from './resources.service.ts'
export { countNamed, resourceReads } from './resources.store.ts'
