import type { DataSourceFields } from '#shared/contract/data-sources.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/message-gateways.ts'
import { type OpenSource, SOURCE_CONNECTORS, SourceFault } from '../../connectors/index.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { resolvePassword } from './data-sources.service.ts'
import { loadFile } from './data-sources.store.ts'

/** No file was uploaded yet. */
export class NoFileError extends Error {}

/** Opens a source as it is described. @throws SourceFault; NoFileError; Refusal `settings.secret-needed`, `sheet.*`. */
async function openSource(ctx: Context, fields: DataSourceFields, id: string | null): Promise<OpenSource> {
  const password = await resolvePassword(ctx, fields, id)
  return await SOURCE_CONNECTORS[fields.kind]({
    settings: { ...fields, password },
    async file() {
      const bytes = id === null ? null : await loadFile(ctx, id)
      if (!bytes) throw new NoFileError()
      return bytes
    },
  })
}

/** Works with an open source, and closes it whatever happens. @throws as `openSource` and `work` do. */
export async function withSource<T>(
  ctx: Context,
  { fields, id }: { fields: DataSourceFields; id: string | null },
  work: (source: OpenSource) => Promise<T>,
): Promise<T> {
  const source = await openSource(ctx, fields, id)
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

/** Why a source can't be read, as a person understands it; null: it is no fault of the source. */
export function describeFault(ctx: Context, error: unknown, password: string) {
  const say = (key: string, params = {}) => ctx.translate(ctx.client.language, key, params)
  if (error instanceof NoFileError) return { problem: 'no-file' as const, message: say('data-source-problem.no-file') }
  if (error instanceof Refusal && error.code.startsWith('sheet.'))
    return { problem: 'failed' as const, message: say(`errors.${error.code}`, error.params) }
  if (!(error instanceof SourceFault)) return null
  const { problem } = error
  const hides = password.length >= 4 && password !== SECRET_PLACEHOLDER
  const words = hides ? error.words.replaceAll(password, SECRET_PLACEHOLDER) : error.words
  const message = say(`data-source-problem.${problem}`)
  return { problem, message: words ? `${message} (${words.slice(0, 200)})` : message }
}
