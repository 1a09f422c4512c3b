import { constants } from 'node:fs'
import { access, mkdir, readdir } from 'node:fs/promises'
import { type Config, ConfigurationError } from './config.ts'

type Folder = Pick<Config, 'recordArchiveDir'>

const unusable = (error: unknown) =>
  new ConfigurationError(`RECORD_ARCHIVE_DIR can't be used: ${(error as Error).message}`)

/** Before anything is opened. @throws ConfigurationError if the archive folder is something else */
export async function checkArchiveFolder({ recordArchiveDir }: Folder): Promise<void> {
  if (!recordArchiveDir) return
  await readdir(recordArchiveDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unusable(error)
  })
}

/**
 * As the user who will write to it; makes it if there is none.
 * @throws ConfigurationError if they can't: that must not come to light at night
 */
export async function ensureArchiveFolder({ recordArchiveDir }: Folder): Promise<void> {
  if (!recordArchiveDir) return
  try {
    await mkdir(recordArchiveDir, { recursive: true, mode: 0o700 })
    await access(recordArchiveDir, constants.W_OK)
  } catch (error) {
    throw unusable(error)
  }
}
