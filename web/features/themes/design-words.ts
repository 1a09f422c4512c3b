import type { TFunction } from 'i18next'
import type { ThemeDesign } from '#shared/rules/theme-design.ts'

/** A part of a theme in words, such as `['dark', 'primary']` or `['background', 'dim']`. */
export function designPartName(t: TFunction, [part = '', name = '']: readonly string[]): string {
  if (part === 'light' || part === 'dark') {
    return t('login-topic.colour-in', { name: t(`theme-colour.${name as 'ink'}`), scheme: t(`light.${part}`) })
  }
  return t(`theme-part.${(name || part) as 'radius'}`)
}

/** Its value in words. */
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
