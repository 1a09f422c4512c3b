import { queryGetStarted, updateGetStarted } from '#shared/contract/get-started.ts'
import type { Api } from '../../platform/http/mount.ts'
import { describeGetStarted, markGetStarted } from './get-started.service.ts'

export function mountGetStarted(api: Api): void {
  api.mount(queryGetStarted, (ctx, _input, { request }) => describeGetStarted(ctx, request.protocol))
  api.mount(updateGetStarted, async (ctx, { body }, { request }) => {
    await markGetStarted(ctx, body)
    return await describeGetStarted(ctx, request.protocol)
  })
}
