import { RE2JS } from 're2js'
import type { FileEntry, Stats } from 'ssh2'
import { SourceFault } from '../data-source.types.ts'
import type { SftpSession } from './sftp-session.service.ts'

/** As for an uploaded file. */
const MAX_BYTES = 50 * 1024 * 1024
const PIECE_BYTES = 256 * 1024
/** In a folder that is searched for the newest file. */
const MAX_ENTRIES = 10_000
/** A file counts as complete if it has not grown meanwhile, or not for this long. */
const SETTLE_MS = 2_000
const SETTLED_MS = 10 * 60_000

const END_OF_FILE = 1
const isEnd = (error: unknown): boolean => (error as { code?: number } | undefined)?.code === END_OF_FILE

type Ask = SftpSession['ask']
export type RemoteFile = { path: string; doneSuffix: string }

const statOf = (ask: Ask, path: string): Promise<Stats> => ask<Stats>((sftp, done) => sftp.stat(path, done))

const noFile = (error: unknown): boolean => error instanceof SourceFault && error.problem === 'no-remote-file'

/**
 * The whole of one file, or of the newest one that matches the pattern.
 * @throws SourceFault `no-remote-file`; `unfinished` if it is still being written; `limited` if it is too large.
 */
export async function readRemoteFile(
  { ask }: Pick<SftpSession, 'ask'>,
  { path: named, doneSuffix }: RemoteFile,
  now = Date.now,
): Promise<Buffer> {
  const path = isPattern(named) ? await findNewest(ask, named) : named
  const before = await statOf(ask, path).catch((error: unknown) => {
    throw noFile(error) ? new SourceFault('no-remote-file', path) : error
  })
  if (!before.isFile()) throw new SourceFault('no-remote-file', path)
  if (before.size > MAX_BYTES) throw new SourceFault('limited', `${path}: ${before.size} B`)
  if (doneSuffix !== '') await checkDone(ask, path + doneSuffix, before)
  // A server clock that is ahead of ours proves nothing.
  const age = now() - before.mtime * 1000
  if (age < SETTLED_MS) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const bytes = await readBytes(ask, path)
  const after = await statOf(ask, path)
  const isSame = after.size === before.size && after.mtime === before.mtime && bytes.length === before.size
  // An empty one has just been opened.
  if (!isSame || bytes.length === 0) throw new SourceFault('unfinished', `${path}: ${before.size} / ${after.size} B`)
  return bytes
}

/** A marker older than the file belongs to the previous one. */
async function checkDone(ask: Ask, path: string, file: Stats): Promise<void> {
  const mark = await statOf(ask, path).catch((error: unknown) => {
    throw noFile(error) ? new SourceFault('unfinished', path) : error
  })
  if (mark.mtime < file.mtime) throw new SourceFault('unfinished', path)
}

async function readBytes(ask: Ask, path: string): Promise<Buffer> {
  const handle = await ask<Buffer>((sftp, done) => sftp.open(path, 'r', done))
  const pieces: Buffer[] = []
  let position = 0
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    const read = await ask<number>((sftp, done) =>
      sftp.read(handle, piece, 0, PIECE_BYTES, position, (error, count) =>
        isEnd(error) ? done(null, 0) : done(error, count),
      ),
    )
    if (read === 0) break
    pieces.push(piece.subarray(0, read))
    position += read
    if (position > MAX_BYTES) throw new SourceFault('limited', `${path}: > ${MAX_BYTES} B`)
  }
  await ask<void>((sftp, done) => sftp.close(handle, (error) => done(error, undefined)))
  return Buffer.concat(pieces)
}

export const isPattern = (path: string): boolean => /[*?]/.test(path)

/** Folder and name of a path. */
export function splitPath(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/')
  return { folder: at < 0 ? '.' : path.slice(0, at) || '/', name: path.slice(at + 1) }
}

/** `*` and `?` as in a shell. RE2 takes linear time even for a malicious pattern. */
const toMatcher = (pattern: string) =>
  RE2JS.compile(`^${RE2JS.quote(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.')}$`, RE2JS.DOTALL)

const FOLDER = 0o040000
const isFolder = ({ attrs }: FileEntry): boolean => (attrs.mode & 0o170000) === FOLDER

/** Of the same second, the one with the last name. @throws SourceFault `no-remote-file`, `limited`. */
async function findNewest(ask: Ask, path: string): Promise<string> {
  const { folder, name } = splitPath(path)
  const matcher = toMatcher(name)
  let newest: FileEntry | null = null
  for (const entry of await listFolder(ask, folder))
    if (!isFolder(entry) && matcher.matches(entry.filename) && isNewer(entry, newest)) newest = entry
  if (!newest) throw new SourceFault('no-remote-file', path)
  return `${folder === '/' ? '' : folder}/${newest.filename}`
}

async function listFolder(ask: Ask, folder: string): Promise<FileEntry[]> {
  const handle = await ask<Buffer>((sftp, done) => sftp.opendir(folder, done)).catch((error: unknown) => {
    throw noFile(error) ? new SourceFault('no-remote-file', folder) : error
  })
  const all: FileEntry[] = []
  for (;;) {
    const entries = await ask<FileEntry[]>((sftp, done) =>
      sftp.readdir(handle, (error, list) => (isEnd(error) ? done(null, []) : done(error, list))),
    )
    if (entries.length === 0) break
    all.push(...entries)
    if (all.length > MAX_ENTRIES) throw new SourceFault('limited', `${folder}: > ${MAX_ENTRIES}`)
  }
  await ask<void>((sftp, done) => sftp.close(handle, (error) => done(error, undefined)))
  return all
}

const isNewer = (one: FileEntry, other: FileEntry | null): boolean =>
  !other ||
  one.attrs.mtime > other.attrs.mtime ||
  (one.attrs.mtime === other.attrs.mtime && one.filename > other.filename)
