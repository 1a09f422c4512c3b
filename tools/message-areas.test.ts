import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mentionedKeys, messageAreas } from './message-areas.ts'

const KEYS = ['a.title', 'a.text', 'b.title', 'count.people_one', 'count.people_other', 'state.done', 'states']

const mentioned = (source: string) => [...mentionedKeys([source], KEYS)]

test('a message is found by its whole name, and all its plural forms with it', () => {
  expect(mentioned("t('a.title')")).toEqual(['a.title'])
  expect(mentioned('<Dialog title="a.text" />')).toEqual(['a.text'])
  expect(mentioned("t('count.people', { count })")).toEqual(['count.people_one', 'count.people_other'])
})

test('a message is found where its key is composed', () => {
  expect(mentioned('t(`state.$' + '{state}`)')).toEqual(['state.done'])
  expect(mentioned("translateOr('state.' + state)")).toEqual(['state.done'])
  expect(mentioned('t(`$' + "{what}.title`), what = 'b'")).toEqual(['b.title'])
})

const keys = Object.keys(JSON.parse(readFileSync(new URL('../shared/locales/en.json', import.meta.url), 'utf8')))
const areas = messageAreas(keys)

test('each message belongs to one area: the messages of own pages and of the back office are separate', () => {
  expect(areas.size).toBe(keys.length)
  for (const key of ['my-apps.title', 'state.loading', 'network.unreachable', 'organization.title'])
    expect(areas.get(key), key).toBe('own')
  for (const key of ['lock-list.title', 'lock-list.explain', 'ip-range.create'])
    expect(['office', 'own'], key).toContain(areas.get(key))
  expect(areas.get('lock-list.explain')).toBe('office')
  expect(areas.get('sync-transform.trim')).toBe('integrations')
  expect(areas.get('errors.request.malformed')).toBe('rest')
})
