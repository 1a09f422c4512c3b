import { pinyin } from 'pinyin-pro'
import { expect, test } from 'vitest'
import zh from '#shared/locales/zh_CN.json' with { type: 'json' }
import { COMMANDS } from './commands.ts'
import { isMeant, isPageMeant, PAGES_WITH_WORDS } from './page-words.ts'

test.each([
  ['yingyong', 'application-manage.title'],
  ['yy', 'application-manage.title'],
  ['ying yong', 'application-manage.title'],
  ['日志', 'change-history.title'],
  ['日志', 'current-login-manage.title'],
  ['locked', 'lock-list.title'],
  ['Ｌｏｃｋｅｄ', 'lock-list.title'],
  ['冻结', 'freeze-account.title'],
  ['通行密钥', 'login-config.title'],
  ['tongxing', 'login-config.title'],
  ['reset password', 'organization.title'],
  ['重置密码', 'organization.title'],
])('%s finds the page %s, whatever language is shown', (typed, title) => {
  expect(isPageMeant(typed, [title], ['Title', 'Group'])).toBe(true)
})

test('a page is found by its displayed title and group, and by nothing else', () => {
  expect(isPageMeant('group', ['role-manage.title'], ['Roles', 'Some group'])).toBe(true)
  expect(isPageMeant('ole', ['role-manage.title'], ['Roles', 'Some group'])).toBe(true)
  expect(isPageMeant('uese', ['role-manage.title'], ['Roles', 'Some group'])).toBe(false)
  expect(isPageMeant('nothing', ['role-manage.title'], ['Roles', 'Some group'])).toBe(false)
})

test.each([
  ['import people', 'command.import-people'],
  ['people import', 'command.import-people'],
  ['导入', 'command.import-people'],
  ['daoru', 'command.import-people'],
  ['new app', 'command.new-application'],
  ['jiesuo', 'command.unlock-people'],
  ['undo', 'command.roll-back'],
  ['backup', 'command.confirm-backup'],
  ['beifen', 'command.confirm-backup'],
  ["why can't", 'command.refused-logins'],
  ['登不上', 'command.refused-logins'],
])('%s finds what can be done by %s', (typed, title) => {
  const found = COMMANDS.filter(({ words }) => isMeant(typed, words, ['Title'])).map((command) => command.title)
  expect(found).toContain(title)
})

test('every page and group is found by the pinyin of its title and by the initials, whatever language is shown', () => {
  const lost = PAGES_WITH_WORDS.flatMap((key) => {
    const title = (zh as Record<string, string>)[key] ?? ''
    const syllables = (pattern: 'pinyin' | 'first') =>
      pinyin(title, { pattern, toneType: 'none', type: 'array', nonZh: 'consecutive' }).join('').replace(/\s/g, '')
    return [syllables('pinyin'), syllables('first')].filter((typed) => !isPageMeant(typed, [key], ['Title', 'Group']))
  })
  expect(lost).toEqual([])
  expect(isPageMeant('yhgl', ['role-manage.title', 'manage-menu.users'], ['Roles', 'User management'])).toBe(true)
})
