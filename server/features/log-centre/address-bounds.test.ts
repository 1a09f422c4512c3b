import { expect, test } from 'vitest'
import { boundsOf } from './address-bounds.rules.ts'

test.each([
  ['10.', [['10.0.0.0', '10.255.255.255']]],
  [
    '10.7',
    [
      ['10.7.0.0', '10.7.255.255'],
      ['10.70.0.0', '10.79.255.255'],
    ],
  ],
  [
    '10.2.3.2',
    [
      ['10.2.3.2', '10.2.3.2'],
      ['10.2.3.20', '10.2.3.29'],
      ['10.2.3.200', '10.2.3.255'],
    ],
  ],
  ['10.0', [['10.0.0.0', '10.0.255.255']]],
  ['10.256', []],
  ['10.2.3.4.5', []],
  ['10..2', []],
  ['.5', []],
  ['/:', []],
  ['.:5', []],
  ['10.2.3.4:5', []],
  ['2001:/', []],
  [
    '2001:da8',
    [
      ['2001:da8:0:0:0:0:0:0', '2001:da8:ffff:ffff:ffff:ffff:ffff:ffff'],
      ['2001:da80:0:0:0:0:0:0', '2001:da8f:ffff:ffff:ffff:ffff:ffff:ffff'],
    ],
  ],
  ['2001:da8::5', [['2001:da8:0:0:0:0:0:0', '2001:da8:ffff:ffff:ffff:ffff:ffff:ffff']]],
  ['::', [['0:0:0:0:0:0:0:0', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']]],
  ['abcd', [['abcd:0:0:0:0:0:0:0', 'abcd:ffff:ffff:ffff:ffff:ffff:ffff:ffff']]],
])('addresses that begin with %s lie between %j', (beginning, expected) => {
  expect(boundsOf(beginning)).toEqual(expected)
})

test('digits alone may begin an address of either family', () => {
  expect(boundsOf('99')).toContainEqual(['99.0.0.0', '99.255.255.255'])
  expect(boundsOf('99')).toContainEqual(['9900:0:0:0:0:0:0:0', '99ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'])
})
