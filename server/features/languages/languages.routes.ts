import { listLanguages, translatedMessages } from '#shared/contract/languages.ts'
import type { Api } from '../../platform/http/mount.ts'
import { shippedMessages } from '../../platform/translate.ts'
import { listEnabledLanguages } from './languages.store.ts'

const TOPIC = 'languages'

export function mountLanguages(api: Api): void {
  api.mount(listLanguages, async (ctx) =>
    ctx.cache.read(TOPIC, 'enabled', async () => [...(await listEnabledLanguages(ctx.db))]),
  )
  api.mount(translatedMessages, async (_ctx, { query }) => [
    { code: query.language, messages: { ...shippedMessages(query.language) } },
  ])
}
