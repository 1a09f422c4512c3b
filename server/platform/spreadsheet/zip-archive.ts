import { createInflateRaw } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { errors } from './spreadsheet.errors.ts'

export type ZipArchive = {
  has(name: string): boolean
  /** The bytes of an entry, chunk by chunk. @throws Refusal if it exceeds `mostBytes`, or is broken. */
  read(name: string, mostBytes: number): AsyncIterable<Buffer>
}

const MAX_ENTRIES = 5000
const STORED = 0
const DEFLATED = 8

/** Opens an archive in memory by its central directory; nothing is unpacked before it is read. @throws Refusal if it is broken. */
export async function openZip(bytes: Buffer): Promise<ZipArchive> {
  const zip = await orBroken(fromBufferPromise(bytes))
  if (zip.entryCount > MAX_ENTRIES) throw errors['sheet.too-big-inside']()
  const entries = await readDirectory(zip)
  return {
    has: (name) => entries.has(name.toLowerCase()),
    async *read(name, mostBytes) {
      const entry = entries.get(name.toLowerCase())
      if (!entry) throw errors['sheet.broken']()
      const { fileDataStart } = await orBroken(zip.readLocalFileHeaderPromise(entry, { minimal: true }))
      const packed = bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize)
      yield* withinBytes(unpack(packed, entry.compressionMethod), mostBytes)
    },
  }
}

async function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  const all = zip.eachEntry()
  for (let at = 0; at < zip.entryCount; at++) {
    const entry: Entry = (await orBroken(all.next())).value
    if (entry.isEncrypted()) throw errors['sheet.encrypted']()
    const name = entry.fileName.toLowerCase()
    // If two entries have one name, different programs would read different ones.
    if (entries.has(name)) throw errors['sheet.broken']()
    entries.set(name, entry)
  }
  return entries
}

async function orBroken<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    // The one kind of encryption that yauzl itself rejects.
    const isEncrypted = error instanceof Error && error.message.startsWith('strong encryption')
    throw errors[isEncrypted ? 'sheet.encrypted' : 'sheet.broken']()
  }
}

/** Bytes read in one go, within a few milliseconds. */
const CHUNK_BYTES = 64 * 1024

/** Not by yauzl's stream, whose chunks are a quarter of the size, and which is four times as slow. */
async function* unpack(packed: Buffer, method: number): AsyncIterable<Buffer> {
  if (method === STORED) {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES) yield packed.subarray(at, at + CHUNK_BYTES)
    return
  }
  if (method !== DEFLATED) throw errors['sheet.broken']()
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
  inflate.end(packed)
  try {
    for await (const piece of inflate) yield piece as Buffer
  } catch {
    throw errors['sheet.broken']()
  } finally {
    inflate.destroy()
  }
}

async function* withinBytes(pieces: AsyncIterable<Buffer>, mostBytes: number): AsyncIterable<Buffer> {
  let seen = 0
  for await (const piece of pieces) {
    seen += piece.length
    if (seen > mostBytes) throw errors['sheet.too-big-inside']()
    yield piece
  }
}
