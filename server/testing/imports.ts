import type { ImportField, ImportRow, ImportRun } from '#shared/contract/user-imports.ts'
import type { Portal, Reply } from './portal.ts'
import { until } from './process.ts'

export function upload(page: Portal, content: string | Buffer, fileName = 'people.csv'): Promise<Reply<ImportRun>> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(Buffer.from(content as string))], fileName))
  return page.call<ImportRun>(`/user_information/import/upload/?fileName=${encodeURIComponent(fileName)}`, {
    body: form,
  })
}

/** Runs a step of an import, with its current version. */
export async function step(
  page: Portal,
  id: string,
  name: 'check' | 'start' | 'undo',
  mapping?: (ImportField | null)[],
) {
  const { version, mapping: guessed } = await runOf(page, id)
  const body = name === 'check' ? { version, mapping: mapping ?? guessed } : { version }
  return await page.call<ImportRun>(`/user_information/${id}/import/${name}/`, { body })
}

export const runOf = async (page: Portal, id: string) =>
  (await page.call<ImportRun>(`/user_information/${id}/import/`)).data

const BUSY = ['checking', 'importing', 'undoing']

/** Waits until nothing works on a run any more. */
export async function settled(page: Portal, id: string, patienceMs = 20_000): Promise<ImportRun> {
  let run = await runOf(page, id)
  await until(async () => {
    run = await runOf(page, id)
    return !BUSY.includes(run.state)
  }, patienceMs)
  return run
}

export const listedReportOf = async (page: Portal, id: string, query = '?pageSize=100') =>
  (await page.call<{ records: ImportRow[]; total: number }>(`/user_information/${id}/import/rows/${query}`)).data
    .records

/** The same in the order of the file. */
export const reportOf = async (...asked: Parameters<typeof listedReportOf>) =>
  (await listedReportOf(...asked)).toSorted((one, other) => one.row - other.row)

/** Accepts rows that are probably somebody else, or excludes them again. */
export async function accept(page: Portal, id: string, rows: number[] | 'all' = 'all', accepted = true) {
  const { version } = await runOf(page, id)
  const selection = rows === 'all' ? { all: true } : { rows }
  return await page.call<ImportRun>(`/user_information/${id}/import/accept/`, {
    body: { version, selection, accepted },
  })
}

/** Uploads, checks and imports a file, including its doubtful rows. */
export async function importFile(page: Portal, content: string | Buffer): Promise<ImportRun> {
  const { id } = (await upload(page, content)).data
  await step(page, id, 'check')
  if ((await settled(page, id)).counts.doubtful > 0) await accept(page, id)
  await step(page, id, 'start')
  return await settled(page, id)
}
