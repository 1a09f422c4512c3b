import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import { SchemeSwitch } from './SchemeSwitch.tsx'
import { SelectField } from './SelectField.tsx'
import { languageLabel, wordingLanguages } from './wording-languages.ts'
import './preview-frame.css'

const SIZES = ['desktop', 'phone'] as const

/** The options of a preview. */
export type PreviewView = { language: Language; size: (typeof SIZES)[number]; scheme: Scheme }

type Props = {
  view: PreviewView
  onChange: (view: PreviewView) => void
  /** Further choices, before the others. */
  children?: ReactNode
}

/** Language, size and colour scheme of a `PreviewFrame`. */
export function PreviewTools({ view, onChange, children }: Props) {
  const { t } = useTranslation()
  const { language, size, scheme } = view
  return (
    <div className="preview-tools">
      {children}
      <SelectField
        label={t('preview.language')}
        value={language}
        options={wordingLanguages().map((value) => ({ value, label: languageLabel(t, value) }))}
        onChange={(chosen) => chosen && onChange({ ...view, language: chosen })}
      />
      <SelectField
        label={t('preview.size')}
        value={size}
        options={SIZES.map((value) => ({ value, label: t(`preview.size.${value}`) }))}
        onChange={(chosen) => chosen && onChange({ ...view, size: chosen })}
      />
      <SchemeSwitch scheme={scheme} onChange={(chosen) => onChange({ ...view, scheme: chosen })} />
    </div>
  )
}
