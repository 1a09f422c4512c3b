import i18next from 'i18next'
import { CHANGE_KINDS, type Change } from '#shared/contract/change-history.ts'
import { DEFAULT_THEME } from '#shared/rules/shipped-themes.ts'
import type { ThemeWindow } from '#shared/rules/theme-schedule.ts'
import { type MessageKey, translateOr } from '../../platform/i18n.ts'
import { designPartName, designPartText } from '../../ui/design-words.ts'
import { fieldDiff } from '../../ui/field-diff.ts'
import { homePageText, loginPageText, windowText } from '../../ui/page-texts.ts'
import { choiceText, fieldLabel, firstMessage } from './field-words.ts'

/** jsonb keeps no field order: the name comes first, fields without a form last. */
const FIELD_ORDER = [
  ...[
    'name',
    'names',
    'code',
    'appId',
    'account',
    'file',
    'state',
    'description',
    'descriptions',
    'categoryId',
    'type',
  ],
  ...['url', 'picture', 'protocol', 'serviceUrls', 'clientId', 'redirectUris', 'postLogoutRedirectUris', 'grantTypes'],
  ...['scopes', 'consent', 'attributes', 'parentId', 'attribute', 'position', 'enabled'],
]
const fieldPosition = (name = ''): number =>
  FIELD_ORDER.includes(name) ? FIELD_ORDER.indexOf(name) : FIELD_ORDER.length

type Fields = Pick<Change, 'targetKind' | 'names' | 'custom'>

/** Labels of a target's fields and texts of their values, where there are any. */
export const changeTexts = ({ targetKind, names, custom = {} }: Fields) => ({
  /** For nested fields both labels; languages, codes and numbers stay as they are. */
  labelOf: (path: readonly string[]): string =>
    path.map((name, at) => custom[name] ?? fieldLabel(targetKind, name, path.slice(0, at + 1).join('.'))).join(' · '),
  inOrder: <T extends { path: readonly string[] }>(fields: readonly T[]): T[] =>
    fields.toSorted((a, b) => fieldPosition(a.path[0]) - fieldPosition(b.path[0])),
  wordOf(path: readonly string[], value: string): string | null {
    const field = path.at(-1) ?? ''
    // Recorded by name only.
    if (field === 'changed') return custom[value] ?? fieldLabel(targetKind, value)
    if (field === 'list') return firstMessage([value])
    const named = Object.hasOwn(names, value) ? names[value] : custom[`${field}.${value}`]
    return named ?? choiceText(targetKind, field, value)
  },
})

export const kindLabel = (kind: string): string => translateOr(`change-kind.${kind}`, 'change-kind.other')

export const actionLabel = (action: string): string => translateOr(`action.${action}`, 'action.unknown')

export const KINDS = CHANGE_KINDS

const DOCUMENTS = [
  'access',
  'accountFields',
  'login',
  'gateway',
  'activation',
  'passwordRecovery',
  'securityQuestions',
  'verificationCodes',
  'messages',
  'messageRoutes',
  'messageGateway',
  'message-templates',
  'smsTemplates',
  'mail',
  'sms',
]
const documentLabel = (name: string): string => translateOr(`settings-document.${name}`, 'change-kind.settings')

/** The settings documents, as filter choices. */
export const documentOptions = () => DOCUMENTS.map((value) => ({ value, label: documentLabel(value) }))

const ACTORS: Readonly<Record<string, MessageKey>> = {
  administrator: 'records.by.other',
  bootstrap: 'change-history.by-bootstrap',
  'command line': 'change-history.by-command-line',
  'setup link': 'change-history.by-setup',
}

/** The actor when no person was logged in. */
export const actorLabel = (actor: string | null): string => i18next.t(ACTORS[actor ?? ''] ?? 'records.by.system')

/** The changed object: its current name, for settings the document's, else the recorded name. */
export function targetLabel({ targetKind, targetId, targetName, before, after }: Change): string {
  if (targetKind === 'settings') return documentLabel(targetId)
  if (targetKind === 'records') return targetName ?? firstMessage([`${targetId}.title`]) ?? targetId
  const subject = grantSubject({ targetKind, before, after })
  if (subject) return `${targetName ?? targetId} → ${subject}`
  // The number of a background task tells nobody anything.
  return targetName ?? snapshotName(after) ?? snapshotName(before) ?? (targetKind === 'task' ? '' : targetId)
}

/** Who has the grant of an application; null for any other target. */
export const grantSubject = ({ targetKind, before, after }: Pick<Change, 'targetKind' | 'before' | 'after'>) =>
  targetKind === 'application-grant' ? (memberName(after) ?? memberName(before)) : null

function memberName(snapshot: Change['after']): string | null {
  const member = snapshot?.['member']
  const name = typeof member === 'object' && member !== null && 'name' in member ? member.name : null
  return typeof name === 'string' ? name : null
}

/** Names recorded with the change, for objects that are deleted or have no table of their own. */
function snapshotName(snapshot: Change['after']): string | null {
  const name = snapshot?.['name'] ?? snapshot?.['file']
  return typeof name === 'string' && name !== '' ? name : null
}

/** Why it was done, in the words of whoever did it; a refused request has the server's code for it. */
export const reasonText = ({ action, reason }: Pick<Change, 'action' | 'reason'>): string | null =>
  (action === 'request.refused' && firstMessage([`visit-reason.${reason}`, `refused-request.${reason}`])) || reason

/** Unset settings have their default; any other missing field is simply absent. */
export const absentLabel = ({ targetKind }: Change): { absent?: string } =>
  targetKind === 'settings' ? { absent: i18next.t('diff.default') } : {}

type Sides = Pick<Change, 'targetKind' | 'targetId' | 'before' | 'after' | 'custom' | 'names'>
type Definition = { key: string; name: string; names?: Record<string, string> }

const definitionsOf = (state: Change['after']): Definition[] => {
  const custom = state?.['custom']
  return Array.isArray(custom) ? (custom as Definition[]) : []
}

type Value = NonNullable<Change['after']>[string]

const pageText = (textOf: typeof loginPageText) => (name: string, value: Value) =>
  value === null ? value : textOf(i18next.t, name, value)

/** Values of the documents that say how the pages look, in the words of their forms. */
function lookOf({ names }: Sides): Readonly<Record<string, (name: string, value: Value) => Value>> {
  const themeName = (id: string) => names[id] ?? firstMessage([`theme.${id}`]) ?? undefined
  return {
    appearance: (name, value) => {
      if (name !== 'schedule' || !Array.isArray(value)) return value ?? undefined
      // No period is what an unset schedule says, too.
      const texts = (value as ThemeWindow[]).map((window) => windowText(i18next.t, window, themeName))
      return texts.length > 0 ? texts : undefined
    },
    loginPage: pageText(loginPageText),
    homePage: pageText(homePageText),
  }
}

type State = NonNullable<Change['after']>

/** A look part by part, as its editor calls them. */
const partsOf = (look: object | null): State =>
  Object.fromEntries(
    fieldDiff(null, { ...look }).map(({ path, after }) => {
      // Of two pictures nobody has a name.
      const which = path.at(-1) === 'file' && typeof after === 'string' ? ` …${after.slice(-6)}` : ''
      return [designPartName(i18next.t, path), designPartText(i18next.t, path, after) + which]
    }),
  )

/** What a theme is called, and what everybody sees of it; unless that changed, what was worked on. */
function withLook<Line extends Sides>(change: Line): Line {
  const { before, after } = change
  const isPublished = fieldDiff({ design: before?.['design'] }, { design: after?.['design'] }).length > 0
  const isFirst = isPublished && !(before?.['design'] && after?.['design'])
  const sideOf = (state: Change['after']): Change['after'] => {
    if (!state) return state
    const { name, names, design, draft } = state
    const look = (isPublished ? design : (draft ?? design)) as object | null
    const isAlone = before === null || after === null
    return {
      name,
      ...partsOf({ names }),
      ...(!isAlone && {
        ...(isFirst ? { design: design !== null } : partsOf(look)),
        [i18next.t('login-topic.has-draft')]: draft !== null,
      }),
    } as State
  }
  return { ...change, before: sideOf(before), after: sideOf(after) }
}

/** A state as its difference is told: what a form shows in words is in words, and fields that the institution defined have their names. */
export function comparable<Line extends Sides>(change: Line): Line {
  const { targetKind, targetId, before, after } = change
  if (targetKind === 'theme') return withLook(change)
  if (targetKind !== 'settings') return change
  const textOf = lookOf(change)[targetId]
  if (textOf) {
    // Where none was ever chosen, the pages have one all the same.
    const unset = targetId === 'appearance' ? { theme: DEFAULT_THEME } : {}
    const inWords = (state: Change['after']): Change['after'] =>
      state &&
      Object.fromEntries(
        Object.entries({ ...unset, ...state }).flatMap(([name, value]) => {
          const text = textOf(name, value)
          return text === undefined ? [] : [[name, text]]
        }),
      )
    return { ...change, before: inWords(before), after: inWords(after) }
  }
  return targetId === 'accountFields' ? withFieldNames(change) : change
}

/** Fields that the institution defined are compared one by one, under their names: their list as a whole tells nobody anything. */
function withFieldNames<Line extends Sides>(change: Line): Line {
  const { before, after } = change
  const sideOf = (state: Change['after']): Change['after'] =>
    state && {
      ...state,
      ...(Array.isArray(state['custom']) && {
        custom: Object.fromEntries(
          definitionsOf(state).map(({ key, ...field }, at) => [key, { ...field, position: at + 1 }]),
        ),
      }),
    }
  const labels = [...definitionsOf(before), ...definitionsOf(after)].map(({ key, name, names }) => [
    key,
    names?.[i18next.language] ?? name,
  ])
  return { ...change, before: sideOf(before), after: sideOf(after), custom: Object.fromEntries(labels) }
}
