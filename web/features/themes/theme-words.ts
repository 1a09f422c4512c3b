import type { TFunction } from 'i18next'
import type { Theme } from '#shared/contract/themes.ts'
import type { ConflictWords } from '../../ui/ConflictNotice.tsx'
import { designPartName, designPartText, nameIn } from '../../ui/design-words.ts'

/** Labels and values of a theme. */
export function themeWords(t: TFunction) {
  const look: NonNullable<ConflictWords<Theme>['parts']>['draft'] = {
    nameOf: (path) => designPartName(t, path),
    textOf: (path, value) => designPartText(t, path, value),
  }
  return {
    labels: { name: t('login-topic.name'), names: t('login-topic.names'), draft: t('audit-field.draft') },
    // A draft that is there on one side only.
    show: (_field, value) => (typeof value === 'string' ? value : value === null ? '—' : t('login-topic.has-draft')),
    parts: {
      names: { nameOf: (path) => nameIn(t, path.at(-1) ?? ''), textOf: (_path, value) => String(value ?? '—') },
      draft: look,
    },
  } satisfies ConflictWords<Theme>
}
