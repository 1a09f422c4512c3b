import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

type Fault = readonly [file: string, text: string, expected: string]
type Report = { diagnostics: { category: string; message: string; location: { path: string } }[] }

const importing = (source: string) => `import { x } from '${source}'\n\nexport const y = x\n`

const forbidden = [
  ['server/features/x/x.service.ts', '../sessions/sso-session.store.ts', 'only through its index.ts'],
  ['server/features/x/x.service.ts', '../../features/sessions/index.ts', '../noun/index.ts'],
  ['server/features/x/x.service.ts', '../../protocols/cas/index.ts', 'never the other way round'],
  ['server/features/x/x.service.ts', '../../app.ts', 'composition root'],
  ['server/features/x/x.service.ts', '../../testing/server.ts', 'Only tests'],
  ['server/features/x/x.service.ts', '../../../web/ui/list.ts', "browser's code"],
  ['server/features/x/x.service.ts', '#web/ui/list.ts', "browser's code"],
  ['server/features/x/x.service.ts', '#server/platform/db.ts', 'relative path'],
  [
    'server/protocols/cas/login.service.ts',
    '../../features/sessions/sso-session.store.ts',
    'only through its index.ts',
  ],
  ['server/protocols/cas/login.service.ts', '../oidc/index.ts', 'One protocol does not import another'],
  ['server/protocols/cas/login.service.ts', '../../main.mjs', 'composition root'],
  ['server/platform/x.ts', '../features/sessions/index.ts', 'no business word'],
  ['server/platform/http/x.ts', '../../features/sessions/index.ts', 'no business word'],
  ['server/platform/x.ts', '../protocols/cas/index.ts', 'never the other way round'],
  ['server/platform/x.ts', '../connectors/qq/index.ts', 'below the connectors'],
  ['server/platform/x.ts', '../testing/server.ts', 'Only tests'],
  ['server/connectors/qq/x.ts', '../../features/sessions/index.ts', 'no business word'],
  ['server/connectors/qq/x.ts', '../../protocols/cas/index.ts', 'never the other way round'],
  ['server/app.ts', './features/sessions/sso-session.store.ts', 'only through its index.ts'],
  ['server/app.ts', '../web/ui/x.ts', "browser's code"],
  ['server/start.ts', './testing/server.ts', 'Only tests'],
  ['shared/rules/x.ts', '../../server/platform/db.ts', 'imports neither'],
  ['shared/rules/x.ts', '#web/ui/x.ts', 'imports neither'],
  ['shared/rules/x.ts', 'node:crypto', 'nothing of Node'],
  ['shared/rules/x.ts', 'react-aria-components', 'needs only zod'],
  ['web/platform/x.ts', '../ui/list.ts', 'below web/ui'],
  ['web/platform/x.ts', '../features/x/page.ts', 'know no feature'],
  ['web/ui/x.ts', '../features/x/page.ts', 'know no feature'],
  ['web/ui/x.ts', '../app/routes.tsx', 'nothing imports it'],
  ['web/features/x/page.tsx', '../y/page.tsx', 'never import each other'],
  ['web/features/x/page.tsx', '../../features/y/page.tsx', 'never import each other'],
  ['web/features/x/page.tsx', '../../app/routes.tsx', 'nothing imports it'],
  ['web/features/x/page.tsx', '../../../server/app.ts', "server's code"],
  ['web/features/x/page.tsx', 'node:fs', 'Nothing of Node'],
  ['web/login/login.tsx', 'react-aria-components', 'light entry'],
  ['web/login/login.tsx', '../ui/x.tsx', 'below web/ui'],
  ['web/reading/bar.tsx', 'react-aria-components', 'React alone'],
  ['web/reading/bar.tsx', '../ui/x.tsx', 'as the login page does'],
] as const

const allowed = [
  ['server/features/x/x.service.ts', '../sessions/index.ts'],
  ['server/features/x/x.service.ts', './x.store.ts'],
  ['server/features/x/x.service.ts', '../../platform/http/mount.ts'],
  ['server/features/x/x.service.ts', '#shared/contract/x.ts'],
  ['server/features/x/x.test.ts', '../../testing/server.ts'],
  ['server/protocols/cas/login.service.ts', '../../features/sessions/index.ts'],
  ['server/protocols/cas/login.service.ts', './tickets.ts'],
  ['server/platform/http/x.ts', '../db.ts'],
  ['server/app.ts', './features/sessions/index.ts'],
  ['web/features/x/page.tsx', '../../ui/list.tsx'],
  ['web/features/x/page.tsx', './dialog.tsx'],
  ['web/features/x/page.tsx', '#shared/contract/x.ts'],
  ['web/app/routes.tsx', '../features/x/page.tsx'],
  ['shared/rules/x.ts', 'zod'],
] as const

const faults: readonly Fault[] = [
  ['server/features/x/cycle-a.ts', "import { b } from './cycle-b.ts'\n\nexport const a = () => b\n", 'noImportCycles'],
  ['server/features/x/cycle-b.ts', "import { a } from './cycle-a.ts'\n\nexport const b = () => a\n", 'noImportCycles'],
  [
    'server/features/x/cycle-of-types-a.ts',
    "import type { B } from './cycle-of-types-b.ts'\n\nexport type A = { b: B | null }\n",
    'noImportCycles',
  ],
  [
    'server/features/x/cycle-of-types-b.ts',
    "import type { A } from './cycle-of-types-a.ts'\n\nexport type B = { a: A | null }\n",
    'noImportCycles',
  ],
  ['server/features/x/x.ts', 'export const url = process.env.DATABASE_URL\n', 'noProcessEnv'],
  ['server/features/x/x.ts', 'export default 1\n', 'noDefaultExport'],
  ['server/features/x/x.ts', 'export const x = (y: any) => y\n', 'noExplicitAny'],
  ['server/features/x/x.ts', 'export enum X {\n  A,\n}\n', 'noEnum'],
  ['server/features/x/SomeThing.ts', 'export const x = 1\n', 'useFilenamingConvention'],
  ['server/features/x/x.ts', 'async function a() {}\n\nexport function b() {\n  a()\n}\n', 'noFloatingPromises'],
  ['server/features/x/x.ts', `export function long() {\n${'  void 0\n'.repeat(61)}}\n`, 'noExcessiveLinesPerFunction'],
  [
    'server/features/x/x.ts',
    Array.from({ length: 301 }, (_, line) => `export const x${line} = 1\n`).join(''),
    'noExcessiveLinesPerFile',
  ],
  ['server/features/x/x.ts', 'console.log(1)\n', 'noConsole'],
]

const unique = (file: string, index: number) =>
  /cycle|Some/.test(file) ? file : file.replace(/\w*(\.\w+)?(\.\w+)$/, `case-${index}$1$2`)

const cases = [
  ...forbidden.map(([file, source, expected], index) => ({
    file: unique(file, index),
    text: importing(source),
    expected,
  })),
  ...faults.map(([file, text, expected], index) => ({ file: unique(file, 100 + index), text, expected })),
]
const innocent = allowed.map(([file, source], index) => ({ file: unique(file, 200 + index), text: importing(source) }))

const project = mkdtempSync(join(tmpdir(), 'gatehouse-boundaries-'))
const found = new Map<string, string>()

beforeAll(() => {
  cpSync(here('../biome.json'), join(project, 'biome.json'))
  for (const { file, text } of [...cases, ...innocent]) {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    writeFileSync(join(project, file), text)
  }
  const biome = here('../node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.']
  const { stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
  for (const { category, message, location } of (JSON.parse(stdout) as Report).diagnostics) {
    found.set(location.path, `${found.get(location.path) ?? ''}\n${category} ${message}`)
  }
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

test.each(cases.map((one) => [one.file, one.expected] as const))('in %s the check finds "%s"', (file, expected) => {
  expect(found.get(file) ?? '').toContain(expected)
})

test.each(innocent.map(({ file, text }) => [file, text.split('\n')[0]] as const))('%s may say %s', (file) => {
  expect(found.get(file) ?? '').not.toContain('noRestrictedImports')
})
