export { lockResource, type ResourceChange, type ResourceStore, resourceService } from './resources.service.ts'
