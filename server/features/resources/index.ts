export { lockResource, type ResourceStore, resourceService } from './resources.service.ts'
