import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readServiceFiles } from './service-files.ts'

/** An archive as other programs write it; fields that the reader ignores are zero. */
function zip(files: Record<string, string>, store = false): File {
  const locals: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = store ? Buffer.from(text) : deflateRawSync(Buffer.from(text))
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(store ? 0 : 8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), packed)
    list.push(entry, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(list.length / 2, 10)
  end.writeUInt32LE(offset, 16)
  return new File([Buffer.concat([...locals, ...list, end])], 'services.zip')
}

test('service files are read individually and from archives, compressed or not, ignoring other files', async () => {
  const plain = new File(['{"a": 1}'], 'a.json')
  for (const store of [true, false]) {
    const archive = zip({ 'services/图书馆-1.json': '{"b": 2}', 'services/readme.txt': 'no' }, store)
    expect(await readServiceFiles([plain, archive])).toEqual([
      { name: 'a.json', text: '{"a": 1}' },
      { name: 'services/图书馆-1.json', text: '{"b": 2}' },
    ])
  }
})

test('an archive that unpacks to more than can be sent, or is invalid, is refused', async () => {
  expect(await readServiceFiles([zip({ 'bomb.json': ' '.repeat(40_000_000) })])).toBeNull()
  expect(await readServiceFiles([new File(['PK nonsense'], 'x.zip')])).toBeNull()
  const archive = zip({ 'a.json': '{}' })
  expect(await readServiceFiles([new File([(await archive.arrayBuffer()).slice(0, 60)], 'cut.zip')])).toBeNull()
})
