import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Db } from '../../platform/db.ts'

/** A month in a file, and the SHA-256 (hex) of that file. */
export type Archive = { archive: string; sha256: string }

/**
 * Writes a month of records as csv.gz with a file that `sha256sum -c` checks. Only a complete archive gets its final name; an existing one
 * is kept if it still has its sum.
 */
export async function archivePartition(db: Db, dir: string, name: string): Promise<Archive> {
  const archive = `${name}.csv.gz`
  const path = join(dir, archive)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const former = await readSum(`${path}.sha256`)
  if (former && former === (await sumOf(path))) return { archive, sha256: former }
  const hash = createHash('sha256')
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const rows = await db`copy (select * from ${db(name)} order by at, id) to stdout with (format csv, header)`.readable()
  await pipeline(rows, createGzip(), counted, createWriteStream(`${path}.part`, { mode: 0o600 }))
  await flush(`${path}.part`)
  await rename(`${path}.part`, path)
  const sha256 = hash.digest('hex')
  await writeFile(`${path}.sha256.part`, `${sha256}  ${archive}\n`, { mode: 0o600 })
  await flush(`${path}.sha256.part`)
  await rename(`${path}.sha256.part`, `${path}.sha256`)
  await flush(dir)
  return { archive, sha256 }
}

/** On disk before the month is deleted from the database. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const readSum = (path: string): Promise<string | null> =>
  orNull(async () => /^[0-9a-f]{64}/.exec(await readFile(path, 'utf8'))?.[0] ?? null)

const sumOf = (path: string): Promise<string | null> =>
  orNull(async () => {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  })

/** Null: there is no such file. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
