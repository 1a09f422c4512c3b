export type ServiceFile = { name: string; text: string }

/** Limit of all unpacked files together; the server has the same. */
const MAX_FILE_BYTES = 3_500_000

const END_OF_ARCHIVE_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const STORED = 0
const DEFLATED = 8

/** The chosen files as texts, and the .json files in a zip. Null: too large, or not a readable archive. */
export async function readServiceFiles(files: readonly File[]): Promise<ServiceFile[] | null> {
  const read: ServiceFile[] = []
  let left = MAX_FILE_BYTES
  for (const file of files) {
    const isZip = /\.zip$/i.test(file.name)
    if (!isZip && file.size > left) return null
    const found = isZip ? await readZip(await file.arrayBuffer(), left) : [{ name: file.name, text: await file.text() }]
    if (!found) return null
    for (const { text } of found) left -= text.length
    read.push(...found)
    if (left < 0) return null
  }
  return read
}

/** The central directory says where each file is. */
async function readZip(buffer: ArrayBuffer, most: number): Promise<ServiceFile[] | null> {
  const view = new DataView(buffer)
  const end = findEndOfArchive(view)
  if (end === null) return null
  const files: ServiceFile[] = []
  let left = most
  let at = view.getUint32(end + 16, true)
  for (let entry = view.getUint16(end + 10, true); entry > 0; entry -= 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY_SIGNATURE) return null
    const name = new TextDecoder().decode(new Uint8Array(buffer, at + 46, view.getUint16(at + 28, true)))
    if (/\.json$/i.test(name)) {
      const text = await unpack(buffer, view, at, left)
      if (text === null) return null
      left -= text.length
      files.push({ name: name.slice(-255), text })
    }
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
}

function findEndOfArchive(view: DataView): number | null {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) {
    if (view.getUint32(at, true) === END_OF_ARCHIVE_SIGNATURE) return at
  }
  return null
}

/** Stops at the size limit while unpacking: the sizes that an archive claims can't be trusted. */
async function unpack(buffer: ArrayBuffer, view: DataView, at: number, most: number): Promise<string | null> {
  const method = view.getUint16(at + 10, true)
  const size = view.getUint32(at + 20, true)
  const local = view.getUint32(at + 42, true)
  if ((method !== STORED && method !== DEFLATED) || local + 30 > view.byteLength) return null
  const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  if (from + size > view.byteLength) return null
  const packed = new Blob([new Uint8Array(buffer, from, size)]).stream()
  const stream = method === STORED ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'))
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let total = 0
  try {
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) return await new Blob(chunks).text()
      total += value.byteLength
      if (total > most) return null
      chunks.push(value)
    }
  } catch {
    return null
  }
}
