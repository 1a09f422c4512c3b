import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { RECORD_KINDS } from '#shared/contract/record-retention.ts'

/** An entry of the chain as stored outside the database; `signature`: over log, until, rows, previous and digest, separated by spaces. */
const KeptSeal = z.object({
  log: z.enum(RECORD_KINDS),
  until: z.iso.datetime(),
  rows: z.number().int(),
  previous: z.string(),
  digest: z.string(),
  signature: z.string(),
})
export type KeptSeal = z.infer<typeof KeptSeal>

const pathOf = (dir: string) => join(dir, 'seals.jsonl')

/** Appends a line and syncs it to disk. */
export async function appendSeal(dir: string, seal: KeptSeal): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const file = await open(pathOf(dir), 'a', 0o600)
  try {
    await file.write(`${JSON.stringify(seal)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Every line of the file, oldest first; null: an unreadable one, as after a crash. Empty if there is no file. */
export async function* readSeals(dir: string): AsyncGenerator<KeptSeal | null> {
  const input = createReadStream(pathOf(dir), 'utf8')
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield toSeal(line)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function toSeal(line: string): KeptSeal | null {
  try {
    return KeptSeal.parse(JSON.parse(line))
  } catch {
    return null
  }
}
