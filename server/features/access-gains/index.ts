export { formatAccessGains, listAccessGains } from './access-gains.service.ts'
