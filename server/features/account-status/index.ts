export { type AccountFacts, mayLogIn, type NotAllowed } from './may-log-in.ts'
