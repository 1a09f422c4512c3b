import { constants } from 'node:fs'
import { access, mkdir, readdir } from 'node:fs/promises'
import { type Config, ConfigurationError } from './config.ts'

type Folder = Pick<Config, 'recordArchiveDir'>

/** A name that can never be a folder. With other codes, as of a share that is away, the portal works and keeps its months. */
const NO_FOLDER = ['ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP']

function refuseNoFolder(error: NodeJS.ErrnoException): string {
  const { code = '', message } = error
  if (NO_FOLDER.includes(code)) throw new ConfigurationError(`RECORD_ARCHIVE_DIR can't be used: ${message}`)
  return code
}

/** Before anything is opened. @throws ConfigurationError if the archive folder is something else */
export async function checkArchiveFolder({ recordArchiveDir }: Folder): Promise<void> {
  if (recordArchiveDir) await readdir(recordArchiveDir).catch(refuseNoFolder)
}

/**
 * As the user who will write to it; makes it if there is none.
 * @returns the code of why they can't; null: they can.
 * @throws ConfigurationError if it is something else.
 */
export async function ensureArchiveFolder({ recordArchiveDir }: Folder): Promise<string | null> {
  if (!recordArchiveDir) return null
  try {
    await mkdir(recordArchiveDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    return refuseNoFolder(error as NodeJS.ErrnoException)
  }
  return await archiveFolderProblem({ recordArchiveDir })
}

/** The code of why nothing can be written to the archive folder, such as `EROFS`; null: it can, or there is none. */
export async function archiveFolderProblem({ recordArchiveDir }: Folder): Promise<string | null> {
  if (!recordArchiveDir) return null
  return await access(recordArchiveDir, constants.W_OK).then(
    () => null,
    ({ code = '' }: NodeJS.ErrnoException) => code,
  )
}
