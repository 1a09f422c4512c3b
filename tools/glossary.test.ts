import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('..', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8')

/** Words of the glossary's last column that mean nothing else in code, by the term that stands for them. */
const AVOIDED: Readonly<Record<string, readonly string[]>> = {
  'reference data': ['vocabulary'],
  administrator: ['delegate'],
  appointment: ['delegation'],
  permission: ['power'],
  gate: ['door'],
  captcha: ['human check'],
  'second factor': ['second step'],
  'recovery code': ['backup code'],
  reauthentication: ['fresh proof'],
  contact: ['addressee'],
  'audit record': ['history line'],
  'ephemeral state': ['hot state'],
}

const CODE = '{server,web,shared/contract,shared/rules,tools,bench,e2e}/**/*.{ts,tsx,mjs,css}'
/** What people may type to find a page, and the words that are refused. */
const OTHERWISE = [
  'web/app/commands.ts',
  'web/app/page-words.ts',
  'server/features/languages/text-checks.test.ts',
  'tools/glossary.test.ts',
]

/** The words of names too: `hotState`, `hot_state` and `hot-state` are "hot state". */
const wordsOf = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()

/** `loginWay`, `last_way` and `other-ways`, but neither `isUnderWay` nor "the last way back". */
const CALLED_WAY =
  /\w*[a-z\d](?<![uU]nder|[gG]ive|show)Ways?(?![a-z])|\b(?:login|first|last|other|recovery|reset|access|scan)[-_]ways?\b/g
/** In tables and contracts a way is always the name of something. */
const DECLARED_WAY = /^ {2}ways? (?:text|jsonb)\b|\bways?\??: z\./m
const KEY_CALLED_WAY = /^(?:.*[.-])?ways?(?:[.-].*)?$/gm

/** Without the packages that `npm run interop` installs. */
const codeFiles = () =>
  globSync([CODE, 'migrations/*.sql'], { cwd: ROOT, exclude: ['**/node_modules/**'] }).filter(
    (file) => !OTHERWISE.includes(file),
  )
const messageKeys = (): string =>
  Object.keys(JSON.parse(read('shared/locales/en.json')) as Record<string, string>).join('\n')

const glossary = new Map(
  read('docs/glossary.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => [cells[1] ?? '', cells.at(-2) ?? ''] as const),
)

test('the glossary lists the avoided words', () => {
  for (const [term, words] of Object.entries(AVOIDED))
    for (const word of words) expect(glossary.get(term)?.split(/[,;] /), term).toContain(word)
})

test('names in code, tables and messages are the words of the glossary', () => {
  const words = Object.values(AVOIDED).flat()
  const pattern = new RegExp(`(?<!\\d )\\b(?:${words.map((word) => word.replace(/y$/, '(?:y|ie)')).join('|')})[sd]?\\b`)
  const found = (file: string, text: string) =>
    wordsOf(text)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1} ${pattern.exec(line)?.[0]}`] : []))
  const files = codeFiles()
  expect(files.length).toBeGreaterThan(2000)
  expect([...files.flatMap((file) => found(file, read(file))), ...found('a message', messageKeys())]).toEqual([])
})

test('no name calls a method, a path or an entry a way', () => {
  expect(
    codeFiles().flatMap(
      (file) =>
        read(file)
          .match(CALLED_WAY)
          ?.map((name) => `${file} ${name}`) ?? [],
    ),
  ).toEqual([])
  const declarations = globSync(['shared/contract/**/*.ts', 'migrations/*.sql'], { cwd: ROOT })
  expect(declarations.filter((file) => DECLARED_WAY.test(read(file)))).toEqual([])
  expect(messageKeys().match(KEY_CALLED_WAY)).toBeNull()
})
