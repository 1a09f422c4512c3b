export { forgetActivations } from './activation.jobs.ts'
export { mountActivation } from './activation.routes.ts'
export { activationAddressee } from './steps.service.ts'
