import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { BANNER_TONES, type Banner } from '#shared/contract/themes.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FixedReason } from '../../ui/fixed-field.ts'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'
import { useScheduleDraft } from './schedule-draft.ts'

const EMPTY: Banner = { texts: {}, tone: 'info', from: null, until: null }

/** A sentence for everybody at the top of the login page and the home page. */
export function BannerPanel() {
  const { t } = useTranslation()
  const id = useId()
  const settings = useScheduleDraft(({ banner }) => ({ banner }))
  return (
    <SettingsPanel
      {...settings}
      labels={{ banner: t('audit-field.banner') }}
      show={(_field, value) => bannerText(value as Banner | null)}
    >
      {({ value: { banner }, change, stored }) => {
        const isFixed = stored.setByFile.includes('banner')
        return (
          <div className="theme-schedule">
            <fieldset className="theme-banner">
              {isFixed && <SetByFile id={id} />}
              <FixedReason value={isFixed ? id : undefined}>
                <Switch
                  label={t('login-topic.banner-on')}
                  hint={t('login-topic.banner-hint')}
                  checked={banner !== null}
                  onChange={(isOn) => change({ banner: isOn ? EMPTY : null })}
                />
                {banner && <BannerFields value={banner} onChange={(next) => change({ banner: next })} />}
              </FixedReason>
            </fieldset>
            <BannerPreview banner={banner} />
          </div>
        )
      }}
    </SettingsPanel>
  )
}

const bannerText = (banner: Banner | null): string => Object.values(banner?.texts ?? {}).join(' · ') || '—'

function BannerFields({ value, onChange }: { value: Banner; onChange: (value: Banner) => void }) {
  const { t } = useTranslation()
  const set = (part: Partial<Banner>) => onChange({ ...value, ...part })
  const { texts } = value
  return (
    <>
      {wordingLanguages().map((language, at) => (
        <TextAreaField
          key={language}
          label={t('login-topic.banner-text', { language: languageLabel(t, language) })}
          // An error of all languages is shown at the first.
          name={at === 0 ? 'changes.banner.texts' : `changes.banner.texts.${language}`}
          value={texts[language] ?? ''}
          maxLength={300}
          isOptional
          onChange={(text) => {
            const { [language]: _, ...others } = texts
            set({ texts: text === '' ? others : { ...others, [language]: text } })
          }}
        />
      ))}
      <RadioCards
        legend={t('login-topic.banner-tone')}
        value={value.tone}
        options={BANNER_TONES.map((tone) => ({ value: tone, label: t(`login-topic.banner-tone.${tone}`) }))}
        onChange={(tone) => set({ tone })}
      />
      <div className="theme-window-row">
        <DateTimeField
          label={t('login-topic.banner-from')}
          name="changes.banner.from"
          value={value.from}
          isOptional
          onChange={(from) => set({ from })}
        />
        <DateTimeField
          label={t('login-topic.banner-until')}
          name="changes.banner.until"
          value={value.until}
          isOptional
          onChange={(until) => set({ until })}
        />
      </div>
    </>
  )
}

function BannerPreview({ banner }: { banner: Banner | null }) {
  const { t, i18n } = useTranslation()
  const isWhole = banner && Object.values(banner.texts).some((text) => text.trim() !== '')
  const preview = usePreview({ banner: isWhole ? { ...banner, from: null, until: null } : null })
  return (
    <section className="theme-preview" aria-label={t('login-topic.preview')}>
      <PreviewFrame
        preview={preview}
        page="login"
        title={t('preview.frame', { page: t('preview.page.login') })}
        language={i18n.language as Language}
      />
      <p className="muted">{t('preview.explain')}</p>
    </section>
  )
}
