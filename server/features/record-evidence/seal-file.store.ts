import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { RECORD_KINDS } from '#shared/contract/record-retention.ts'

/** An entry of the chain as it is kept outside the database; `signature`: of log, until, rows, previous and digest, with blanks between. */
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

/** Adds a line, which is on the disk afterwards. */
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

/** Every line of the file, the oldest first; null: one that can't be read, as after a crash. None where there is no file. */
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
