export { mountMessageRoutes } from './message-routes.routes.ts'
