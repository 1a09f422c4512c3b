import { loadMessages } from '../platform/i18n.ts'
import { loadChunk } from '../platform/load-chunk.ts'

/** Loads a page that connects another system, with the messages that only such pages use. */
export async function loadIntegration<Page>(load: () => Promise<Page>): Promise<Page> {
  const [page] = await Promise.all([loadChunk(load), loadMessages('integrations')])
  return page
}
