import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { PreviewDraft } from '#shared/contract/themes.ts'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { SelectField } from '../../ui/SelectField.tsx'

const SIZES = ['desktop', 'phone'] as const

/** The real page with what is not saved yet. */
export function LayoutPreview({ page, draft }: { page: 'login' | 'my-apps'; draft: PreviewDraft }) {
  const { t, i18n } = useTranslation()
  const [size, setSize] = useState<(typeof SIZES)[number]>('desktop')
  const preview = usePreview(draft)
  return (
    <section className="login-page-preview" aria-label={t('login-topic.preview')}>
      <SelectField
        label={t('preview.size')}
        value={size}
        options={SIZES.map((one) => ({ value: one, label: t(`preview.size.${one}`) }))}
        onChange={(chosen) => chosen && setSize(chosen)}
      />
      <PreviewFrame
        preview={preview}
        page={page}
        title={t('preview.frame', { page: t(`preview.page.${page}`) })}
        language={i18n.language as Language}
        size={size}
      />
      <p className="muted">{t('preview.explain')}</p>
    </section>
  )
}
