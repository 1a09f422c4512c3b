import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const JSON_SCHEMA = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/
const ENGLISH = /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/
const CORE = /[\\/]zod[\\/]v4[\\/]core[\\/]core\.js$/
const CONFIGURATION = '__zod_globalConfig = {}'
const EXPORTED = /^export (?:(?:const|function) (\w+)|\{ \w+ as (\w+) \})/gm

/**
 * zod for browsers: without JSON Schema, which only the server generates, and without its English messages, because
 * pages have their own. Both hang from every type, so that bundlers can't remove them. And it doesn't try to make code from strings, which
 * the content security policy refuses and browsers report.
 */
export const browserZod = (): Plugin => ({
  name: 'browser-zod',
  enforce: 'pre',
  load(id) {
    if (ENGLISH.test(id)) return 'export default () => ({ localeError: () => undefined })'
    if (CORE.test(id)) return withoutEvaluation(readFileSync(id, 'utf8'))
    if (!JSON_SCHEMA.test(id)) return null
    const names = [...readFileSync(id, 'utf8').matchAll(EXPORTED)].map(([, plain, renamed]) => plain ?? renamed)
    // Code that needs a schema anyway, such as `minValue` of a number, fails with a message.
    const body = id.includes('processors') ? "throw new Error('pages are built without the JSON Schema of zod')" : ''
    return names.map((name) => `const ${name}_ = () => { ${body} }\nexport { ${name}_ as ${name} }`).join('\n')
  },
})

function withoutEvaluation(code: string): string {
  if (!code.includes(CONFIGURATION)) throw new Error('zod keeps its configuration elsewhere')
  return code.replace(CONFIGURATION, '__zod_globalConfig = { jitless: true }')
}
