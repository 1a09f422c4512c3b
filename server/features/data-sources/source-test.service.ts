import type { SourceTest, testDataSource } from '#shared/contract/data-sources.ts'
import { collectRows, FILE_TABLE, type OpenSource, SourceFault, within } from '../../connectors/index.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { customFields } from '../account-fields/index.ts'
import { guessMapping } from '../user-imports/index.ts'
import { checkedFields } from './checked-fields.service.ts'
import { isSameDestination, resolvePassword } from './data-sources.service.ts'
import { updateCheck } from './data-sources.store.ts'
import { guessDepartmentFields } from './department-headings.rules.ts'
import { maskValue } from './mask-value.rules.ts'
import { describeFault, openSource } from './open-source.service.ts'

const MAX_TABLES = 200
const SAMPLE_ROWS = 20
const MAX_RUNNING = 3
let running = 0

/** For a whole test: somebody waits for it in front of a page. */
const MAX_TEST_MS = 90_000
/** Of the server, in seconds. */
const MAX_TEST_SILENCE = 30

type Found = Omit<SourceTest, 'isOk' | 'problem' | 'message' | 'hostKey' | 'steps'>

const NOTHING: Found = {
  server: '',
  isEncrypted: false,
  mayWrite: false,
  tables: [],
  columns: [],
  count: 0,
  isWhole: true,
  rows: [],
  key: null,
}

type TestInput = Input<typeof testDataSource>['body']

/**
 * Connects and explores; errors of the server are part of the answer.
 * @throws Refusal `settings.secret-needed`, `service.busy`, and those of `checkedFields`.
 */
export async function testSource(
  ctx: Context,
  { id: given, table, keyColumn, ...described }: TestInput,
): Promise<SourceTest> {
  const checked = await checkedFields(described)
  const fields = { ...checked, timeoutSeconds: Math.min(checked.timeoutSeconds, MAX_TEST_SILENCE) }
  const id = given ?? null
  const password = await resolvePassword(ctx, fields, id)
  const noted = id !== null && (await isSameDestination(ctx, fields, id)) ? id : null
  if (running >= MAX_RUNNING) throw common['service.busy']({ retryAfter: 5 })
  running += 1
  const watch = watchSteps()
  let known = NOTHING
  try {
    const source = await watch.step(
      'connect',
      () => openSource(ctx, { fields, id }),
      (late) => late.close(),
    )
    const lookMs = fields.timeoutSeconds * 1000
    const look = async () => {
      known = await listTables(source, watch)
      return lookAt(ctx, source, { known, table, keyColumn, lookMs }, watch)
    }
    const found = await look().finally(() => source.close())
    await noteCheck(ctx, noted, null)
    return { isOk: true, problem: null, message: null, hostKey: null, steps: watch.steps, ...found }
  } catch (error) {
    const fault = describeFault(ctx, error, password)
    if (!fault) throw error
    await noteCheck(ctx, noted, fault.message)
    return { isOk: false, ...fault, steps: watch.failed(), ...known }
  } finally {
    running -= 1
  }
}

type Step = SourceTest['steps'][number]

/** Tracks the steps done and their duration; abandons a step that does not end. */
function watchSteps() {
  const begin = performance.now()
  let last = begin
  let current: Step['step'] = 'connect'
  const steps: Step[] = []
  const note = (isOk: boolean) => {
    const now = performance.now()
    steps.push({ step: current, isOk, milliseconds: Math.round(now - last) })
    last = now
  }
  return {
    steps,
    /** @param discard disposes of a result that comes too late. @throws SourceFault `timeout`. */
    async step<T>(step: Step['step'], work: () => Promise<T>, discard?: (late: T) => Promise<void>): Promise<T> {
      current = step
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        const left = MAX_TEST_MS - (performance.now() - begin)
        timer = setTimeout(() => reject(new SourceFault('timeout', `${MAX_TEST_MS / 1000} s`)), Math.max(0, left))
      })
      const done = work()
      try {
        const result = await Promise.race([done, late])
        note(true)
        return result
      } catch (error) {
        // Once abandoned, it ends with its connection, and nobody waits for it.
        done.then(discard).catch(() => {})
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    failed() {
      note(false)
      return steps
    },
  }
}

async function noteCheck(ctx: Context, id: string | null, problem: string | null) {
  if (id !== null) await updateCheck(ctx.db, id, { state: problem === null ? 'ok' : 'failing', problem }, ctx.now())
}

/** Also part of an answer about a table that can't be read: another one can be chosen. */
async function listTables(source: OpenSource, { step }: ReturnType<typeof watchSteps>): Promise<Found> {
  const { server, isEncrypted } = source
  return { ...NOTHING, server, isEncrypted, tables: await step('tables', () => source.tables(MAX_TABLES)) }
}

type TestOptions = { known: Found; table: string; keyColumn: string; lookMs: number }

async function lookAt(
  ctx: Context,
  source: OpenSource,
  { known, table, keyColumn, lookMs }: TestOptions,
  { step }: ReturnType<typeof watchSteps>,
): Promise<Found> {
  const { tables } = known
  const chosenTable = tables.includes(FILE_TABLE) && tables.length === 1 ? FILE_TABLE : table
  if (chosenTable === '') return known
  const columns = await step('columns', () => source.columns(chosenTable, lookMs))
  const names = columns.map(({ name }) => name)
  if (keyColumn !== '' && !names.includes(keyColumn)) throw new SourceFault('no-column', keyColumn)
  const headings = columns.map(({ name, heading = name }) => heading)
  const guessed = guessMapping(ctx, headings, new Map(), await customFields(ctx))
  const departmentFields = guessDepartmentFields(headings)
  const { rows } = source
  const look = rows
    ? lookForAWhile((wants) => rows(chosenTable, wants), { names, keyColumn, lookMs })
    : lookAtAll(source, { table: chosenTable, names, keyColumn })
  const first = await step('rows', look.first)
  return {
    ...known,
    mayWrite: await step('rights', () => source.mayWrite(chosenTable)),
    columns: columns.map(({ name, type }, at) => ({
      ...{ name, type, suggested: guessed[at] ?? null },
      suggestedForDepartments: departmentFields[at] ?? null,
    })),
    ...(await step('count', look.count)),
    rows: first.map((row) => row.map(maskValue)),
    key: keyColumn === '' ? null : { column: keyColumn, ...(await step('key', look.key)) },
  }
}

type Look = {
  first(): Promise<string[][]>
  count(): Promise<Pick<Found, 'count' | 'isWhole'>>
  key(): Promise<{ repeated: number; empty: number }>
}

/** For a source that can answer about all its rows. */
const lookAtAll = (source: OpenSource, { table, names, keyColumn }: WantedColumns & { table: string }): Look => ({
  first: () => collectRows(source.read(table, names, SAMPLE_ROWS)),
  count: async () => ({ count: await source.count(table), isWhole: true }),
  key: () => source.repeated(table, keyColumn),
})

type WantedColumns = { names: string[]; keyColumn: string }
type Rows = (names: string[]) => AsyncGenerator<string[]>

/** Reads for a limited time: a large source would take longer than anybody waits in front of a page. */
function lookForAWhile(rows: Rows, { names, keyColumn, lookMs }: WantedColumns & { lookMs: number }): Look {
  const first: string[][] = []
  const progress = { isWhole: true }
  const seen = new Set<string>()
  const found = { count: 0, repeated: 0, empty: 0 }
  const at = names.indexOf(keyColumn)
  return {
    async first() {
      for await (const row of within(rows(names), lookMs, progress)) {
        const key = row[at] ?? ''
        if (found.count++ < SAMPLE_ROWS) first.push(row)
        if (key === '') found.empty += 1
        else if (seen.has(key)) found.repeated += 1
        seen.add(key)
      }
      return first
    },
    count: async () => ({ count: found.count, isWhole: progress.isWhole }),
    key: async () => ({ repeated: found.repeated, empty: found.empty }),
  }
}
