import { createInflateRaw } from 'node:zlib'
import { errors } from './spreadsheet.errors.ts'

type Entry = { method: number; compressedSize: number; start: number }

export type ZipArchive = {
  has(name: string): boolean
  /** The bytes of an entry, piece by piece. @throws Refusal when it comes to more than `mostBytes`, or is broken. */
  read(name: string, mostBytes: number): AsyncIterable<Buffer>
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const MAX_ENTRIES = 5000
const ENCRYPTED = 1

/** Opens an archive in memory by its table of contents; nothing is unpacked before it is read. @throws Refusal when it is broken. */
export function openZip(bytes: Buffer): ZipArchive {
  const entries = readDirectory(bytes)
  return {
    has: (name) => entries.has(name.toLowerCase()),
    async *read(name, mostBytes) {
      const entry = entries.get(name.toLowerCase())
      if (!entry) throw errors['sheet.broken']()
      yield* withinBytes(
        inflate(bytes.subarray(entry.start, entry.start + entry.compressedSize), entry.method),
        mostBytes,
      )
    },
  }
}

function readDirectory(bytes: Buffer): Map<string, Entry> {
  const end = findEndRecord(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count > MAX_ENTRIES) throw errors['sheet.too-big-inside']()
  const entries = new Map<string, Entry>()
  try {
    for (let index = 0; index < count; index++) {
      const { name, entry, next } = readEntry(bytes, at)
      // Of two entries with one name, programs that look at the file differently would read different ones.
      if (entries.has(name)) throw errors['sheet.broken']()
      entries.set(name, entry)
      at = next
    }
  } catch (error) {
    throw error instanceof RangeError ? errors['sheet.broken']() : error
  }
  return entries
}

function findEndRecord(bytes: Buffer): number {
  const last = bytes.length - 22
  for (let at = last; at >= 0 && at > last - 0xffff; at--) if (bytes.readUInt32LE(at) === END) return at
  throw errors['sheet.broken']()
}

function readEntry(bytes: Buffer, at: number): { name: string; entry: Entry; next: number } {
  if (bytes.readUInt32LE(at) !== CENTRAL) throw errors['sheet.broken']()
  if (bytes.readUInt16LE(at + 8) & ENCRYPTED) throw errors['sheet.encrypted']()
  const nameLength = bytes.readUInt16LE(at + 28)
  const extraLength = bytes.readUInt16LE(at + 30)
  const next = at + 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32)
  const name = bytes.toString('utf8', at + 46, at + 46 + nameLength).toLowerCase()
  const compressedSize = bytes.readUInt32LE(at + 20)
  const header = bytes.readUInt32LE(at + 42)
  if (bytes.readUInt32LE(header) !== LOCAL) throw errors['sheet.broken']()
  const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
  // An archive of 50 MiB never needs the 64 bit form.
  if (start + compressedSize > bytes.length) throw errors['sheet.broken']()
  return { name, entry: { method: bytes.readUInt16LE(at + 10), compressedSize, start }, next }
}

/** Bytes that are read in one go, within a few milliseconds. */
const CHUNK_BYTES = 64 * 1024

async function* inflate(packed: Buffer, method: number): AsyncIterable<Buffer> {
  if (method === 0) {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES) yield packed.subarray(at, at + CHUNK_BYTES)
    return
  }
  if (method !== 8) throw errors['sheet.broken']()
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
