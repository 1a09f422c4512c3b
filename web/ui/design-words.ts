import type { TFunction } from 'i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { ThemeDesign } from '#shared/rules/theme-design.ts'
import { languageLabel } from './wording-languages.ts'

/** The name of a theme in one language. */
export const nameIn = (t: TFunction, language: Language): string =>
  t('name-in', { language: languageLabel(t, language) })

/** A part of a theme in words, such as `['dark', 'primary']`, `['background', 'dim']` or `['names', 'en']`. */
export function designPartName(t: TFunction, [part = '', name = '', ...inner]: readonly string[]): string {
  if (part === 'draft') return designPartName(t, [name, ...inner])
  if (part === 'name') return t('login-topic.name')
  if (part === 'names') return nameIn(t, name)
  if (part === 'light' || part === 'dark') {
    return t('login-topic.colour-in', { name: t(`theme-colour.${name as 'ink'}`), scheme: t(`light.${part}`) })
  }
  return t(`theme-part.${(name || part) as 'radius'}`)
}

/** The value of such a part in words. */
export function designPartText(t: TFunction, path: readonly string[], value: unknown): string {
  if (value === null || value === undefined) return '—'
  switch (path.at(-1)) {
    case 'kind':
      return t(`login-topic.background.${value as ThemeDesign['background']['kind']}`)
    case 'effect':
      return t(value === 'grey' ? 'login-topic.grey' : 'theme-part.effect-none')
    case 'file':
      return t('theme-part.file')
    case 'radius':
      return `${value} px`
    case 'focusX':
    case 'focusY':
    case 'dim':
      return `${value} %`
    default:
      return String(value)
  }
}
