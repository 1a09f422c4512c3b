import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { SecretBox } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db.ts'
import { openGateway, sealGateway } from '../messages/index.ts'
import {
  type BrokenField,
  brokenCustomFields,
  isSealed,
  SEALED_DOCUMENTS,
  SETTINGS_DOCUMENTS,
  toDocuments,
} from '../settings/index.ts'
import { formatPath, type Problems } from './bootstrap-problems.errors.ts'
import { settingsDocuments } from './settings.store.ts'

/** Changed keys of a settings document. */
type SettingsChange = { name: string; changes: Record<string, unknown> }
export type SettingsPlan = {
  changed: SettingsChange[]
  created: number
  unchanged: number
  /** Which keys of which documents are given, so that pages may not change them. */
  keys: Record<string, string[]>
}

/** Plans the settings: only the given keys are stored, so that defaults can still change with the product. */
export async function planSettings(
  { db, secrets }: { db: Db; secrets: SecretBox },
  given: Readonly<Record<string, unknown>>,
  problems: Problems,
): Promise<SettingsPlan> {
  const { documents: settings, issues } = toDocuments(given)
  for (const { path, message } of issues) problems.add(formatPath(['settings', ...path]), message)
  const plan: SettingsPlan = { changed: [], created: 0, unchanged: 0, keys: {} }
  const names = Object.keys(settings)
  if (names.length === 0) return plan
  const stored = new Map((await settingsDocuments(db, names)).map(({ name, value }) => [name, value]))
  for (const name of names) {
    const before = stored.get(name)
    const changes = isSealed(name)
      ? sealedChanges(secrets, name, { before, given: settings[name] }, problems)
      : validChanges(name, settings[name], problems)
    if (!changes) continue
    plan.keys[name] = Object.keys(changes)
    await checkFields(db, { name, before, changes }, problems)
    const isSame = before && Object.entries(changes).every(([key, value]) => isDeepStrictEqual(before[key], value))
    if (isSame) plan.unchanged += 1
    else plan.changed.push({ name, changes })
    if (!before) plan.created += 1
  }
  return plan
}

/** Omitting a field from the file would delete everybody's values: it must say `isRemoved` instead. */
async function checkFields(db: Db, { name, before, changes }: Rewritten, problems: Problems): Promise<void> {
  if (name !== 'accountFields' || !before || changes['custom'] === undefined) return
  for (const { key, problem, count } of await brokenCustomFields(db, before, changes))
    problems.add(formatPath(['settings', 'accountFields', 'custom', key]), `${CUSTOM_PROBLEMS[problem]} (${count})`)
}

type Rewritten = SettingsChange & { before: Record<string, unknown> | undefined }
const CUSTOM_PROBLEMS = {
  dropped: 'is not in the file any more, and people have a value: keep it with "isRemoved": true',
  kind: 'has another kind than before, and people have a value',
  choice: 'lacks a choice that people have: keep it with "isOffered": false',
  unique: 'is to be unique, and people have the same value',
} as const satisfies Record<BrokenField['problem'], string>

function validChanges(name: string, value: unknown, problems: Problems): Record<string, unknown> | null {
  const schema = Object.hasOwn(SETTINGS_DOCUMENTS, name) ? SETTINGS_DOCUMENTS[name] : undefined
  if (!schema) {
    problems.add(
      `settings.${name}`,
      `no such settings; known are ${[...Object.keys(SETTINGS_DOCUMENTS), ...Object.keys(SEALED_DOCUMENTS)].join(', ')}`,
    )
    return null
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) {
    const given = Object.keys(value as object)
    return Object.fromEntries(Object.entries(parsed.data).filter(([key]) => given.includes(key)))
  }
  reportIssues(name, parsed.error, problems)
  return null
}

type Compared = { before: Record<string, unknown> | undefined; given: unknown }

function sealedChanges(
  secrets: SecretBox,
  name: keyof typeof SEALED_DOCUMENTS,
  { before, given }: Compared,
  problems: Problems,
) {
  const parsed = SEALED_DOCUMENTS[name].safeParse(given)
  if (!parsed.success) {
    reportIssues(name, parsed.error, problems)
    return null
  }
  const isSame = before !== undefined && isDeepStrictEqual(openGateway(secrets, before), parsed.data)
  return isSame ? before : sealGateway(secrets, parsed.data)
}

function reportIssues(name: string, { issues }: z.ZodError, problems: Problems): void {
  for (const issue of issues) problems.add(formatPath(['settings', name, ...issue.path]), issue.message)
}

/** For the audit record: without encrypted values. */
export const toShownChanges = ({ name, changes }: SettingsChange): [string, unknown] => [
  name,
  isSealed(name) ? 'changed' : changes,
]
