import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import type { ThemeDesign } from '#shared/rules/theme-design.ts'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SchemeSwitch } from './SchemeSwitch.tsx'

const PAGES = [
  'login',
  'second-factor',
  'signed-in',
  'refused',
  'forgot-password',
  'activation',
  'my-apps',
  'account-security',
] as const
const SIZES = ['desktop', 'phone'] as const

type Props = { design: ThemeDesign; scheme: Scheme; onScheme: (scheme: Scheme) => void }

/** The real pages in the unsaved theme, each in both schemes, every language, large and small. */
export function ThemePreview({ design, scheme, onScheme }: Props) {
  const { t, i18n } = useTranslation()
  const [page, setPage] = useState<(typeof PAGES)[number]>('login')
  const [language, setLanguage] = useState(i18n.language as Language)
  const [size, setSize] = useState<(typeof SIZES)[number]>('desktop')
  const preview = usePreview({ theme: design })
  return (
    <section className="theme-preview" aria-label={t('login-topic.preview')}>
      <div className="preview-tools">
        <SelectField
          label={t('preview.page')}
          value={page}
          options={PAGES.map((value) => ({ value, label: t(`preview.page.${value}`) }))}
          onChange={(chosen) => chosen && setPage(chosen)}
        />
        <SelectField
          label={t('preview.language')}
          value={language}
          options={SHIPPED_LANGUAGES.map((value) => ({ value, label: t(`preview.language.${value}`) }))}
          onChange={(chosen) => chosen && setLanguage(chosen)}
        />
        <SelectField
          label={t('preview.size')}
          value={size}
          options={SIZES.map((value) => ({ value, label: t(`preview.size.${value}`) }))}
          onChange={(chosen) => chosen && setSize(chosen)}
        />
        <SchemeSwitch scheme={scheme} onChange={onScheme} />
      </div>
      <PreviewFrame
        preview={preview}
        page={page}
        title={t('preview.frame', { page: t(`preview.page.${page}`) })}
        theme={design}
        scheme={scheme}
        language={language}
        size={size}
      />
      <p className="muted">{t('preview.explain')}</p>
    </section>
  )
}
