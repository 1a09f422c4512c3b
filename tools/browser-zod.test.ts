import { runInNewContext } from 'node:vm'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { browserZod } from './browser-zod.ts'

const PAGE =
  "import { z } from 'zod'; globalThis.isRead = z.object({ name: z.string() }).safeParse({ name: '' }).success"

/** Runs a page that parses something. @returns whether it did, and how often it made code from a string. */
async function run(plugins: ReturnType<typeof browserZod>[]): Promise<{ isRead: boolean; made: number }> {
  const page = {
    name: 'page',
    resolveId: (id: string) => (id === 'page' ? id : null),
    load: (id: string) => (id === 'page' ? PAGE : null),
  }
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [page, ...plugins],
    build: { write: false, minify: false, rolldownOptions: { input: 'page' } },
  })) as Rolldown.RolldownOutput
  function Made() {
    global.made += 1
    throw new EvalError('refused by the policy')
  }
  const global = { isRead: false, made: 0, URL, Function: Made }
  runInNewContext(output[0].code, global)
  return { isRead: global.isRead, made: global.made }
}

test('zod in a page makes no code from strings, which the content security policy would report', async () => {
  expect(await run([browserZod()])).toEqual({ isRead: true, made: 0 })
  expect((await run([])).made).toBeGreaterThan(0)
})
