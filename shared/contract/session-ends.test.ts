import { expect, test } from 'vitest'
import en from '../locales/en.json' with { type: 'json' }
import zhCn from '../locales/zh_CN.json' with { type: 'json' }
import zhTw from '../locales/zh_TW.json' with { type: 'json' }
import { SESSION_END_REASONS } from './session-ends.ts'

test.each([en, zhCn, zhTw])(
  'each reason why a session ended has a text of its own',
  (texts: Record<string, string>) => {
    const said = [...SESSION_END_REASONS, 'other'].map((reason) => texts[`log.session-end.${reason}`])
    expect(said).not.toContain(undefined)
    expect(new Set(said).size).toBe(said.length)
  },
)
