import {
  checkIpRange,
  checkIpRangeImport,
  ipRanges,
  lookUpAddress,
  runIpRangeImport,
} from '#shared/contract/ip-ranges.ts'
import type { Api } from '../../platform/http/mount.ts'
import { checkImport, runImport } from './import.service.ts'
import { checkNetworks, lookUp, rangesService } from './ip-ranges.service.ts'

export function mountIpRanges(api: Api): void {
  api.mount(ipRanges.list, (ctx, { query }) => rangesService.page(ctx, query))
  api.mount(ipRanges.details, (ctx, { query }) => rangesService.get(ctx, query.id))
  api.mount(ipRanges.create, (ctx, { body: { force, ...fields } }) => rangesService.create(ctx, fields, { force }))
  api.mount(ipRanges.update, (ctx, { query, body: { force, ...fields } }) =>
    rangesService.update(ctx, query.id, fields, { force }),
  )
  api.mount(ipRanges.remove, (ctx, { query, body }) => rangesService.remove(ctx, query.id, body.version))
  api.mount(checkIpRange, (ctx, { body }) => checkNetworks(ctx, body))
  api.mount(lookUpAddress, (ctx, { query }) => lookUp(ctx, query))
  api.mount(checkIpRangeImport, (ctx, _, { request }) => checkImport(ctx, request))
  api.mount(runIpRangeImport, (ctx, _, { request }) => runImport(ctx, request))
}
