import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import type { ThemeDesign } from '#shared/rules/theme-design.ts'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { PreviewTools, type PreviewView } from '../../ui/PreviewTools.tsx'
import { SelectField } from '../../ui/SelectField.tsx'

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

type Props = { design: ThemeDesign; scheme: Scheme; onScheme: (scheme: Scheme) => void }

/** The real pages in the unsaved theme, in both schemes, every language, large and small. */
export function ThemePreview({ design, scheme, onScheme }: Props) {
  const { t, i18n } = useTranslation()
  const [page, setPage] = useState<(typeof PAGES)[number]>('login')
  const [chosen, setChosen] = useState<Omit<PreviewView, 'scheme'>>({
    language: i18n.language as Language,
    size: 'desktop',
  })
  const preview = usePreview({ theme: design })
  const view = { ...chosen, scheme }
  const look = ({ scheme: other, ...rest }: PreviewView) => {
    setChosen(rest)
    onScheme(other)
  }
  return (
    <section className="theme-preview" aria-label={t('login-topic.preview')}>
      <PreviewTools view={view} onChange={look}>
        <SelectField
          label={t('preview.page')}
          value={page}
          options={PAGES.map((value) => ({ value, label: t(`preview.page.${value}`) }))}
          onChange={(next) => next && setPage(next)}
        />
      </PreviewTools>
      <PreviewFrame
        preview={preview}
        page={page}
        title={t('preview.frame', { page: t(`preview.page.${page}`) })}
        theme={design}
        {...view}
      />
      <p className="muted">{t('preview.explain')}</p>
    </section>
  )
}
