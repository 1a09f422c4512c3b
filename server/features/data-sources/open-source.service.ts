import type { DataSourceFields } from '#shared/contract/data-sources.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { type OpenSource, SOURCE_CONNECTORS, SourceFault, type Wait } from '../../connectors/index.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { cleanCell } from '../../platform/spreadsheet/sheet-row.ts'
import { resolvePassword, sourcesService } from './data-sources.service.ts'
import { findPassword, loadFile } from './data-sources.store.ts'

/** No file was uploaded yet. */
export class NoFileError extends Error {}

type SourceToOpen = {
  fields: DataSourceFields
  id: string | null
  /** For a run; absent: a user waits for the source to open. */
  wait?: Wait
}

/** Opens a source by its definition. @throws SourceFault; NoFileError; Refusal `settings.secret-needed`, `sheet.*`. */
export async function openSource(ctx: Context, { fields, id, wait }: SourceToOpen): Promise<OpenSource> {
  const password = await resolvePassword(ctx, fields, id)
  return await SOURCE_CONNECTORS[fields.kind]({
    settings: { ...fields, password },
    context: ctx,
    wait,
    async file() {
      const bytes = id === null ? null : await loadFile(ctx, id)
      if (!bytes) throw new NoFileError()
      return bytes
    },
  })
}

/** Runs `work` with a stored source, and closes it in any case. @throws as `openSource` and `work` do; Refusal `resource.not-found`. */
export async function openStoredSource<T>(
  ctx: Context,
  stored: Omit<SourceToOpen, 'fields'> & { id: string },
  work: (source: OpenSource) => Promise<T>,
): Promise<T> {
  try {
    const source = await openSource(ctx, { ...stored, fields: await sourcesService.get(ctx, stored.id) })
    try {
      return await work(source)
    } finally {
      await source.close()
    }
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error
    throw new SourceFault(error.problem, hidePassword(error.words, await findPassword(ctx, stored.id)))
  }
}

/** A driver may quote a password that it can't send. */
function hidePassword(words: string, password: string): string {
  const hides = password.length >= 4 && password !== SECRET_PLACEHOLDER
  return hides ? words.replaceAll(password, SECRET_PLACEHOLDER) : words
}

/** What went wrong at the source, without its password; null: it is no fault of the source. */
export function sourceProblem(ctx: Context, error: unknown, password = '') {
  if (error instanceof NoFileError) return { problem: 'no-file' as const, words: '' }
  if (error instanceof Refusal && error.code.startsWith('sheet.')) {
    const words = ctx.translate(ctx.client.language, `errors.${error.code}`, error.params)
    return { problem: 'failed' as const, words }
  }
  if (!(error instanceof SourceFault)) return null
  const words = cleanCell(hidePassword(error.words, password))
  return { problem: error.problem, words: words.slice(0, 200).toWellFormed() }
}

/** The same as a message for people. */
export function describeFault(ctx: Context, error: unknown, password: string) {
  const found = sourceProblem(ctx, error, password)
  if (!found) return null
  const message = ctx.translate(ctx.client.language, `data-source-problem.${found.problem}`)
  return {
    problem: found.problem,
    message: found.words ? `${message} (${found.words})` : message,
    hostKey: /^host-key-/.test(found.problem) ? found.words : null,
  }
}

/** The same for a stored one, as a message; null: it is no fault of the source. */
export const describeStoredFault = (ctx: Context, error: unknown): string | null =>
  describeFault(ctx, error, '')?.message ?? null
