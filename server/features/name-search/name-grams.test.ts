import { expect, test } from 'vitest'
import { testServer } from '../../testing/server.ts'

test('a name is found by its words, and by each character and pair of characters in other scripts', async () => {
  const { platform } = await testServer()
  const names: [string, string[]][] = [
    ['王小明', ['王', '小', '明', '王小', '小明']],
    ['Li Lei 2', ['2', 'lei', 'li']],
    ['买买提·Ali李', ['买', '买买', '买提', '提', '提·', '·', 'ali', '李']],
    ['a王b', ['a', 'b', '王']],
    ['𠮷野', ['𠮷', '野', '𠮷野']],
    ['-_ .', []],
    ['', []],
  ]
  for (const [name, grams] of names) {
    const [row] = await platform.sql<{ grams: string[] }[]>`select name_grams(${name}) as grams`
    expect([...new Set(row?.grams)].sort(), name).toEqual(grams.sort())
  }
})
