import { expect, test } from 'vitest'
import type { MyApplication } from '#shared/contract/applications.ts'
import { categoriesOf, filterApps, sectionsOf } from './app-sections.ts'

const app = (appId: string, changes: Partial<MyApplication> = {}): MyApplication => ({
  appId,
  name: appId,
  description: '',
  picture: null,
  url: `https://${appId}.example.edu/`,
  state: 1,
  categoryId: null,
  categoryName: null,
  visitedAt: null,
  keywords: [appId],
  ...changes,
})

const library = app('library', {
  keywords: ['图书馆', 'tushuguan', 'tsg', 'library'],
  description: '馆藏检索与座位预约',
})
const mail = app('mail', { keywords: ['校园邮箱', 'xiaoyuanyouxiang', 'xyyx'] })

const ids = (apps: MyApplication[]) => apps.map(({ appId }) => appId)

test('an application is found by name, pinyin, pinyin with spaces, initials, capitals and full-width letters', () => {
  for (const search of ['图书', 'tushu', 'tu shu guan', 'tsg', 'TSG', 'ｔｓｇ', '座位', 'Library']) {
    expect(ids(filterApps([library, mail], search)), search).toEqual(['library'])
  }
  expect(filterApps([library, mail], 'physics')).toEqual([])
})

test('recently opened ones come first, newest before older, at most four; empty sections are absent', () => {
  const apps = [1, 2, 3, 4, 5].map((day) => app(`a${day}`, { visitedAt: `2026-11-0${day}T08:00:00.000Z` }))
  const [recent, others, ...rest] = sectionsOf(apps, null)
  expect(ids(recent?.apps ?? [])).toEqual(['a5', 'a4', 'a3', 'a2'])
  expect(others?.apps).toHaveLength(5)
  expect(rest).toEqual([])
})

test('a chosen category shows only its own applications', () => {
  const teaching = { categoryId: 'c1', categoryName: 'Teaching' }
  const apps = [app('exam', teaching), app('course', teaching), library]
  expect(categoriesOf(apps)).toEqual([{ id: 'c1', name: 'Teaching', count: 2 }])
  expect(sectionsOf(apps, 'c1').map(({ apps: inside }) => ids(inside))).toEqual([['exam', 'course']])
})
