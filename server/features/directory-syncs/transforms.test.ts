import { expect, test } from 'vitest'
import { Transform, type TransformKind } from '#shared/contract/sync-mappings.ts'
import { mapValue } from './transforms.rules.ts'

const CELLS: Record<string, string> = { first: 'Ming', last: 'Li', empty: '', code: 'CS-07-B' }

/** What the steps make of a value: the new value, or the kind of step that failed. */
function mapped(value: string, ...steps: unknown[]): string | { failed: string } {
  const transforms = steps.map((step) => Transform.parse(step))
  const made = mapValue({ column: 'own', transforms }, (column) => (column === 'own' ? value : (CELLS[column] ?? '')))
  return made.problem ? { failed: made.problem.key } : made.value
}

const failed = (kind: TransformKind) => ({ failed: `directory-sync-problem.no-${kind}` })

type Case = [value: string, step: { kind: TransformKind } & Record<string, unknown>, made: unknown]
const CASES: Case[] = [
  ['x', { kind: 'copy', column: 'first' }, 'Ming'],
  ['x', { kind: 'copy', column: 'absent' }, ''],
  ['x', { kind: 'const', value: 'staff' }, 'staff'],
  ['', { kind: 'const', value: 'staff' }, 'staff'],
  ['07', { kind: 'template', text: '{last} { first } ({})' }, 'Li Ming (07)'],
  // What a cell contains is text, also where it looks like a pattern.
  ['$&{first}', { kind: 'template', text: '<{}>' }, '<$&{first}>'],
  [' \t李明\u3000', { kind: 'trim' }, '李明'],
  ['ab-é', { kind: 'upper' }, 'AB-É'],
  ['AB-É', { kind: 'lower' }, 'ab-é'],
  ['Ａ１２\u3000（王）', { kind: 'halfwidth' }, 'A12 (王)'],
  ['a.b.c', { kind: 'replace', search: '.', with: '' }, 'abc'],
  ['a+a', { kind: 'replace', search: 'a', with: '$&$&' }, '$&$&+$&$&'],
  ['20261234', { kind: 'substring', from: 1, length: 4 }, '2026'],
  ['20261234', { kind: 'substring', from: 5, length: null }, '1234'],
  ['20261234', { kind: 'substring', from: -4, length: 2 }, '12'],
  ['𠮷野家', { kind: 'substring', from: 1, length: 1 }, '𠮷'],
  ['ab', { kind: 'substring', from: 9, length: 3 }, ''],
  ['a/b/c', { kind: 'split', separator: '/', part: 2 }, 'b'],
  ['a/b/c', { kind: 'split', separator: '/', part: -1 }, 'c'],
  ['a/b/c', { kind: 'split', separator: '/', part: 4 }, ''],
  ['x', { kind: 'join', columns: ['last', 'empty', 'first'], separator: ' ' }, 'Li Ming'],
  ['01', { kind: 'map', table: [{ from: '01', to: 'student' }], otherwise: null }, 'student'],
  ['02', { kind: 'map', table: [{ from: '01', to: 'student' }], otherwise: 'other' }, 'other'],
  ['02', { kind: 'map', table: [{ from: '01', to: 'student' }], otherwise: null }, '02'],
  ['20000229', { kind: 'date', format: 'YYYYMMDD' }, '2000-02-29'],
  ['1.3.2000', { kind: 'date', format: 'DD.MM.YYYY' }, '2000-03-01'],
  ['03/01/2000', { kind: 'date', format: 'DD/MM/YYYY' }, '2000-01-03'],
  ['03/01/2000', { kind: 'date', format: 'MM/DD/YYYY' }, '2000-03-01'],
  ['2000-01-03 08:00:00', { kind: 'date', format: 'YYYY-MM-DD' }, '2000-01-03'],
  ['', { kind: 'date', format: 'YYYY-MM-DD' }, ''],
  ['20010229', { kind: 'date', format: 'YYYYMMDD' }, failed('date')],
  ['2000/01/03', { kind: 'date', format: 'YYYY-MM-DD' }, failed('date')],
  ['138 0013-8000', { kind: 'phone' }, '+8613800138000'],
  [' ', { kind: 'phone' }, ''],
  ['1380013', { kind: 'phone' }, failed('phone')],
  ['x', { kind: 'firstOf', columns: ['empty', 'absent', 'code'] }, 'CS-07-B'],
  ['x', { kind: 'firstOf', columns: ['empty'] }, ''],
  ['42', { kind: 'pad', length: 6, with: '0', side: 'start' }, '000042'],
  ['42', { kind: 'pad', length: 4, with: '-', side: 'end' }, '42--'],
  ['4200000', { kind: 'pad', length: 6, with: '0', side: 'start' }, '4200000'],
  ['', { kind: 'pad', length: 6, with: '0', side: 'start' }, ''],
]

test.each(CASES)('%j by %j becomes %j', (value, step, made) => {
  expect(mapped(value, step)).toEqual(made)
})

test('every kind of transform stands in the table', () => {
  const kinds = Transform.options.map(({ shape }) => shape.kind.value)
  expect([...new Set(CASES.map(([, { kind }]) => kind))].toSorted()).toEqual(kinds.toSorted())
})

test('steps follow one another up to the first that fails, and no value grows beyond its limit', () => {
  expect(mapped(' ０７ ', { kind: 'trim' }, { kind: 'halfwidth' }, { kind: 'template', text: 'S{}' })).toBe('S07')
  expect(mapped('x', { kind: 'phone' }, { kind: 'const', value: 'never' })).toEqual(failed('phone'))
  const twice = { kind: 'replace', search: 'a', with: 'a'.repeat(100) }
  expect(mapped('aaa', twice, twice)).toEqual({ failed: 'person-problem.too-long' })
})
