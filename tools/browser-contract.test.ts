import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { splitShapes, withoutShapes } from './browser-contract.ts'

const parse = (code: string) => parseSync('contract.js', code).program

test('a browser gets addresses without schemas, except those that a page parses with', () => {
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

test('what a page parses by itself is a module of its own, and zod is in no other', () => {
  const code = [
    "import { z } from 'zod';",
    "import { get, Id } from './endpoint.ts';",
    'const MOST = 3;',
    "export const KINDS = ['a', 'b'];",
    'export const Row = z.object({ id: Id, kind: z.enum(KINDS) }).max(MOST);',
    'const edit = () => Row.partial();',
    'export const isShort = (text) => text.Row < MOST;',
    "export const listRows = get('/row/query/', 'user', void 0, void 0, {});",
    'export const saved = edit();',
  ].join('\n')
  expect(splitShapes(code, './row.ts')).toEqual({
    whole: [
      "export { KINDS, isShort, listRows } from './row.ts?plain'",
      "export { Row, saved } from './row.ts?shapes'",
    ].join('\n'),
    plain: [
      "import { get as get } from './endpoint.ts'",
      'const MOST = 3;',
      "export const KINDS = ['a', 'b'];",
      'export const isShort = (text) => text.Row < MOST;',
      "export const listRows = get('/row/query/', 'user', void 0, void 0, {});",
      'export { MOST }',
    ].join('\n'),
    shapes: [
      "import { z as z } from 'zod'",
      "import { Id as Id } from './endpoint.ts'",
      "import { MOST, KINDS } from './row.ts?plain'",
      'export const Row = z.object({ id: Id, kind: z.enum(KINDS) }).max(MOST);',
      'const edit = () => Row.partial();',
      'export const saved = edit();',
    ].join('\n'),
  })
})
