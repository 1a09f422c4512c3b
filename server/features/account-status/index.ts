export { type AccountFacts, mayLogIn, type NotAllowed } from './may-log-in.ts'
export { demandsSecondFactor } from './second-factor-demand.ts'
