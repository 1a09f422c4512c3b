import { loadMessages } from '../platform/i18n.ts'
import { loadChunk } from '../platform/load-chunk.ts'

/** A page that connects another system, with the words that only such pages say. */
export async function loadIntegration<Page>(load: () => Promise<Page>): Promise<Page> {
  const [page] = await Promise.all([loadChunk(load), loadMessages('integrations')])
  return page
}
