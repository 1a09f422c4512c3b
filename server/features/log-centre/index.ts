export { mountLogCentre } from './log-centre.routes.ts'
