/**
 * Cost of importing people:
 *   npm run bench:import -- [--rows 200000] [--format xlsx|csv] [--database postgres://…]
 * Seconds, CPU of the server with its database, and the server's memory above idle, for each step of an import and of
 * importing the same file again.
 */
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { FormData } from 'undici'
import { createSheetStream } from '../server/platform/sheet-stream.ts'
import type { ImportRun } from '../shared/contract/user-imports.ts'
import { asked, type Visitor } from './client.ts'
import { pause, withMeasuredSite } from './measured.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    format: { type: 'string', default: 'xlsx' },
    database: { type: 'string' },
  },
})

const SURNAMES = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗'
const GIVEN = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉梅文辉力建国玲'

async function* people(count: number): AsyncIterable<string[]> {
  yield ['account', 'name', 'organization', 'gender', 'birthday', 'phone', 'mailbox', 'idNumber', 'validUntil']
  for (let at = 0; at < count; at++) {
    const name = `${SURNAMES[at % 20]}${GIVEN[at % 31]}${GIVEN[(at * 7) % 33] ?? ''}`
    const birthday = `200${at % 10}-0${1 + (at % 9)}-1${at % 10}`
    const number = String(at).padStart(8, '0')
    const idNumber = `110101${birthday.replaceAll('-', '')}${String(at % 10_000).padStart(4, '0')}`
    const mailbox = `s${number}@bench.edu.cn`
    yield [
      `2026${number}`,
      name,
      'school',
      at % 2 ? '男' : '女',
      birthday,
      `139${number}`,
      mailbox,
      idNumber,
      '2030-07-01',
    ]
  }
}

async function settled(visitor: Visitor, id: string): Promise<ImportRun> {
  for (;;) {
    const run = await asked<ImportRun>(visitor, `/user_information/${id}/import/`, {})
    if (!['checking', 'importing', 'undoing'].includes(run.state)) return run
    await pause(250)
  }
}

async function main(): Promise<void> {
  const format = options.format === 'csv' ? 'csv' : 'xlsx'
  const { stream } = await createSheetStream({ format, title: 'people', rows: people(Number(options.rows)) })
  const file = new File([new Uint8Array(await buffer(stream))], `people.${format}`)
  console.log(`${options.rows} rows, ${format}, ${(file.size / 1_048_576).toFixed(1)} MiB`)
  await withMeasuredSite(options.database, async ({ visitor, step }) => {
    for (const round of ['', 'again, ']) {
      let run = {} as ImportRun
      const take = async (name: string, body: object) => {
        await asked(visitor, `/user_information/${run.id}/import/${name}/`, {}, { version: run.version, ...body })
        run = await settled(visitor, run.id)
      }
      await step(`${round}upload`, async () => {
        const form = new FormData()
        form.set('file', file)
        run = await asked(visitor, '/user_information/import/upload/', { fileName: file.name }, form)
      })
      await step(`${round}check`, () => take('check', { mapping: run.mapping }))
      await step(`${round}import`, () => take('start', {}))
      console.log(`  ${run.state}: ${JSON.stringify(run.counts)}`)
    }
  })
}

await main()
