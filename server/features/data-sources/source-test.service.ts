import type { SourceTest, testDataSource } from '#shared/contract/data-sources.ts'
import { FILE_TABLE, type OpenSource, SourceFault } from '../../connectors/index.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { customFields } from '../account-fields/index.ts'
import { guessMapping } from '../user-imports/index.ts'
import { checkedFields, isSamePlace, resolvePassword } from './data-sources.service.ts'
import { updateCheck } from './data-sources.store.ts'
import { maskValue } from './mask-value.rules.ts'
import { describeFault, withSource } from './open-source.service.ts'

const MAX_TABLES = 200
const SAMPLE_ROWS = 20
const MAX_RUNNING = 3
let running = 0

const NOTHING: Omit<SourceTest, 'isOk' | 'problem' | 'message'> = {
  server: '',
  isEncrypted: false,
  mayWrite: false,
  tables: [],
  columns: [],
  count: 0,
  rows: [],
  key: null,
}

type TestInput = Input<typeof testDataSource>['body']

/**
 * Connects and looks; what goes wrong at the other side is an answer, not an error.
 * @throws Refusal `data-source.incomplete`, `data-source.bad-ca`, `settings.secret-needed`, `service.busy`.
 */
export async function testSource(ctx: Context, { id: given, table, keyColumn, ...described }: TestInput) {
  const fields = checkedFields(described)
  const id = given ?? null
  const password = await resolvePassword(ctx, fields, id)
  const noted = id !== null && (await isSamePlace(ctx, fields, id)) ? id : null
  if (running >= MAX_RUNNING) throw common['service.busy']({ retryAfter: 5 })
  running += 1
  try {
    const found = await withSource(ctx, { fields, id }, (source) => lookAt(ctx, source, { table, keyColumn }))
    await noteCheck(ctx, noted, null)
    return { isOk: true, problem: null, message: null, ...found }
  } catch (error) {
    const fault = describeFault(ctx, error, password)
    if (!fault) throw error
    await noteCheck(ctx, noted, fault.message)
    return { isOk: false, ...fault, ...NOTHING }
  } finally {
    running -= 1
  }
}

async function noteCheck(ctx: Context, id: string | null, problem: string | null) {
  if (id !== null) await updateCheck(ctx.db, id, { state: problem === null ? 'ok' : 'failing', problem }, ctx.now())
}

type Asked = { table: string; keyColumn: string }

async function lookAt(ctx: Context, source: OpenSource, { table, keyColumn }: Asked): Promise<typeof NOTHING> {
  const { server, isEncrypted } = source
  const tables = await source.tables(MAX_TABLES)
  const wanted = tables.includes(FILE_TABLE) && tables.length === 1 ? FILE_TABLE : table
  if (wanted === '') return { ...NOTHING, server, isEncrypted, tables }
  const columns = await source.columns(wanted)
  const names = columns.map(({ name }) => name)
  if (keyColumn !== '' && !names.includes(keyColumn)) throw new SourceFault('no-column', keyColumn)
  const guessed = guessMapping(ctx, names, new Map(), await customFields(ctx))
  const rows: string[][] = []
  for await (const batch of source.read(wanted, names, SAMPLE_ROWS)) rows.push(...batch)
  return {
    server,
    isEncrypted,
    tables,
    mayWrite: await source.mayWrite(wanted),
    columns: columns.map((column, at) => ({ ...column, suggested: guessed[at] ?? null })),
    count: await source.count(wanted),
    rows: rows.map((row) => row.map(maskValue)),
    key: keyColumn === '' ? null : { column: keyColumn, ...(await source.repeated(wanted, keyColumn)) },
  }
}
