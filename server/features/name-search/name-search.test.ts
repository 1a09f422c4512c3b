import { expect, test } from 'vitest'
import { buildSearchKeys } from './index.ts'

test.each([
  ['张三', 'zhangsan', 'zs'],
  ['单雄信', 'shanxiongxin', 'sxx'],
  ['欧阳娜娜', 'ouyangnana', 'oynn'],
  ['吕梁', 'lvliang', 'll'],
  ['买买提·吐尔逊', 'maimaitituerxun', 'mmttex'],
  ['𠮷田', '𠮷tian', '𠮷t'],
  ["Mary O'Neill", 'maryoneill', 'mon'],
  ['José', 'jose', 'j'],
  ['王'.repeat(100), 'wang'.repeat(25), 'w'.repeat(100)],
  ['图书馆 Library', 'tushuguanlibrary', 'tsgl'],
])('%s is found as %s and as %s', async (name, pinyin, initials) => {
  expect(await buildSearchKeys(name)).toEqual({ pinyin, initials })
})
