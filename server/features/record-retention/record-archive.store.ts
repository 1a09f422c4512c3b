import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Db } from '../../platform/db.ts'

/** A month in a file, and the SHA-256 (hex) of that file. */
export type Archive = { archive: string; sha256: string }

/**
 * Writes a month of records as csv.gz with a file that `sha256sum -c` checks. Only a complete archive gets its final name. A file of that
 * name with other content stays, as another installation may have written it: then the name gets a number.
 */
export async function archivePartition(db: Db, dir: string, name: string): Promise<Archive> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const part = join(dir, `${name}.${randomUUID()}.part`)
  try {
    const sha256 = await writeMonth(db, name, part)
    const archive = await reserveName(dir, name, sha256)
    const path = join(dir, archive)
    await rename(part, path)
    await writeFile(part, `${sha256}  ${archive}\n`, { mode: 0o600 })
    await flush(part)
    await rename(part, `${path}.sha256`)
    await flush(dir)
    return { archive, sha256 }
  } finally {
    await rm(part, { force: true })
  }
}

/** @returns the SHA-256 of what is written. */
async function writeMonth(db: Db, name: string, path: string): Promise<string> {
  const hash = createHash('sha256')
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const rows = await db`copy (select * from ${db(name)} order by at, id) to stdout with (format csv, header)`.readable()
  await pipeline(rows, createGzip(), counted, createWriteStream(path, { mode: 0o600 }))
  await flush(path)
  return hash.digest('hex')
}

/** The first name that is free, and now reserved by an empty file, or has this content already. */
async function reserveName(dir: string, name: string, sha256: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const archive = `${name}${count === 1 ? '' : `-${count}`}.csv.gz`
    const path = join(dir, archive)
    try {
      const file = await open(path, 'wx', 0o600)
      await file.close()
      return archive
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if ((await sumOf(path)) === sha256) return archive
  }
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

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
