/**
 * Adds or changes messages in all three locale files at once, with sorted keys:
 *   node tools/messages.ts <<< '{"login.title": {"en": "Log in", "zh_CN": "登录", "zh_TW": "登入"}, "old.key": null}'
 * A key with null is removed. Refuses an entry that lacks a language.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

const languages = ['en', 'zh_CN', 'zh_TW'] as const
const changes = JSON.parse(readFileSync(0, 'utf8')) as Record<string, Record<string, string> | null>

for (const [key, texts] of Object.entries(changes)) {
  const missing = texts && languages.filter((language) => typeof texts[language] !== 'string')
  if (missing?.length) throw new Error(`${key} lacks ${missing.join(', ')}`)
}
for (const language of languages) {
  const file = new URL(`../shared/locales/${language}.json`, import.meta.url)
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  for (const [key, texts] of Object.entries(changes)) {
    if (texts) messages[key] = texts[language] ?? ''
    else delete messages[key]
  }
  const sorted = Object.fromEntries(Object.entries(messages).sort(([a], [b]) => (a < b ? -1 : 1)))
  const draft = new URL(`${file.href}.${process.pid}`)
  writeFileSync(draft, `${JSON.stringify(sorted, null, 2)}\n`)
  renameSync(draft, file)
}
