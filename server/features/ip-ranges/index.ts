export { mountIpRanges } from './ip-ranges.routes.ts'
export { ipRangeRestorer } from './ip-ranges.service.ts'
export { insertIpRanges } from './ip-ranges.store.ts'
export { toNetworks } from './networks.rules.ts'
