import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { newSshKeys } from './sftp.ts'

test('every generated SSH key pair can be read', () => {
  const keys = Array.from({ length: 1500 }, () => newSshKeys()).flatMap((pair) => [pair.public, pair.private])
  expect(keys.filter((key) => ssh2.utils.parseKey(key) instanceof Error)).toEqual([])
})
