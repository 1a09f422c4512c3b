import { expect, test } from 'vitest'
import { nextOption, optionTyped } from './select-options.ts'

const OPTIONS = [
  { value: '', label: 'Any' },
  { value: 'a', label: 'Äpfel', disabled: true },
  { value: 'b', label: 'Birnen' },
  { value: 'c', label: 'bananen' },
  { value: 'd', label: '苹果' },
]

test('left and right skip disabled options, and stop at the ends', () => {
  const step = (value: string, by: 1 | -1) => nextOption(OPTIONS, value, by)?.value
  expect([step('', 1), step('b', -1), step('d', 1), step('', -1), step('gone', 1)]).toEqual([
    'b',
    '',
    undefined,
    undefined,
    '',
  ])
})

test('letters find the option that begins with them, from the chosen one on', () => {
  const find = (value: string, typed: string) => optionTyped(OPTIONS, value, typed)?.value
  expect([find('', 'B'), find('c', 'b'), find('d', 'b'), find('', 'ba'), find('', '苹'), find('', 'ap')]).toEqual([
    'b',
    'c',
    'b',
    'c',
    'd',
    undefined,
  ])
})
