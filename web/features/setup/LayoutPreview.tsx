import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { PreviewDraft } from '#shared/contract/themes.ts'
import { useIsDark } from '../../platform/theme.ts'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { PreviewTools, type PreviewView } from '../../ui/PreviewTools.tsx'

/** The real page with unsaved changes: in every language, light and dark, large and small. */
export function LayoutPreview({ page, draft }: { page: 'login' | 'my-apps'; draft: PreviewDraft }) {
  const { t, i18n } = useTranslation()
  const isDark = useIsDark()
  const [view, setView] = useState<PreviewView>({
    language: i18n.language as Language,
    size: 'desktop',
    scheme: isDark ? 'dark' : 'light',
  })
  const preview = usePreview(draft)
  return (
    <section className="login-page-preview" aria-label={t('login-topic.preview')}>
      <PreviewTools view={view} onChange={setView} />
      <PreviewFrame
        preview={preview}
        page={page}
        title={t('preview.frame', { page: t(`preview.page.${page}`) })}
        {...view}
      />
      <p className="muted">{t('preview.explain')}</p>
    </section>
  )
}
