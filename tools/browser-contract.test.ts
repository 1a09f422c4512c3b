import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { withoutShapes } from './browser-contract.ts'

const parse = (code: string) => parseSync('contract.js', code).program

test('a browser gets addresses without shapes, and what a page parses by itself', () => {
  const code = [
    'export const Row = z.object({ id: Id }).strict();',
    "const SORTS = ['name'];",
    'const Edit = { changes: Row.partial(), of: () => now() };',
    'const toWords = () => now();',
    "export const listRows = get('/row/query/', 'user', ListQuery.extend({ sort: z.enum(SORTS) }), pageOf(Row), { summary: 'Rows' });",
    "export const calls = ({ path }) => ({ save: post(path, 'user', Row, Done, { query: Path }) });",
  ].join('\n')
  expect(withoutShapes(code, parse(code))).toBe(
    [
      'export const Row = /* @__PURE__ */ (() => (z.object({ id: Id }).strict()))();',
      "const SORTS = ['name'];",
      'const Edit = /* @__PURE__ */ (() => ({ changes: Row.partial(), of: () => now() }))();',
      'const toWords = () => now();',
      "export const listRows = /* @__PURE__ */ (() => (get('/row/query/', 'user', void 0, void 0, {})))();",
      "export const calls = ({ path }) => ({ save: post(path, 'user', void 0, void 0, {}) });",
    ].join('\n'),
  )
})
