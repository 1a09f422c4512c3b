import { queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import {
  chooseTheme,
  createTheme,
  publishTheme,
  queryThemes,
  type Theme,
  updateTheme,
} from '#shared/contract/themes.ts'
import { type ThemeDesign, themeStyles } from '#shared/rules/theme-design.ts'
import { lookOn } from '#shared/rules/theme-schedule.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { givenNames, type Names } from '../../ui/NamesFields.tsx'
import { putOn } from '../../ui/PreviewFrame.tsx'
import { tellingConflict } from '../../ui/use-seen-version.ts'
import type { Themes } from './schedule-draft.ts'

export const themesQuery = () =>
  queryOptions({ queryKey: ['themes'], queryFn: ({ signal }) => call(queryThemes, {}, { signal }) })

export const refreshThemes = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: themesQuery().queryKey, refetchType: 'all' }),
    queryClient.invalidateQueries({ queryKey: ['changes'] }),
  ])

/** The styles that everybody sees today. */
export function shownStyles(data: Themes): string | undefined {
  const { theme, grey } = lookOn(data, data.today)
  const design = data.themes.find(({ id }) => id === theme)?.design
  return design ? themeStyles(grey ? { ...design, effect: 'grey' } : design) : undefined
}

/** Shows a theme to everybody; the notice offers undo. */
export async function showTheme(theme: string, version: number, before: string | null): Promise<void> {
  const chosen = await tellingConflict(() => call(chooseTheme, { body: { theme, version } }), { reread: refreshThemes })
  await refreshThemes()
  const now = queryClient.getQueryData(themesQuery().queryKey)
  const styles = now && shownStyles(now)
  // With Undo also after its page was left.
  if (styles) putOn(document, styles)
  const undo = () => {
    if (before !== null) showTheme(before, chosen.version, null).catch(notifyFailure)
  }
  notify(
    'well',
    i18next.t('login-topic.chosen'),
    before === null ? undefined : { label: i18next.t('action.undo'), run: undo },
  )
}

export async function duplicate(name: string, base: string): Promise<Theme> {
  const created = await call(createTheme, { body: { name, base } })
  await refreshThemes()
  return created
}

export type ThemeDraft = { name: string; names: Names; draft: ThemeDesign }

export async function saveDraft(theme: Theme, { names, ...draft }: ThemeDraft): Promise<Theme> {
  const { id, version } = theme
  const body = { version, names: givenNames(names), ...draft }
  const saved = await call(updateTheme, { query: { id }, body })
  await refreshThemes()
  notify('well', i18next.t('login-topic.saved'))
  return saved
}

export async function publish(id: string, version: number, reason: string): Promise<Theme> {
  const published = await call(publishTheme, { query: { id }, body: { version, reason: reason.trim() || null } })
  await refreshThemes()
  notify('well', i18next.t('login-topic.published'))
  return published
}
