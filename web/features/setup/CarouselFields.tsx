import { useTranslation } from 'react-i18next'
import { type HomePageSettings, MAX_ALTERNATIVE_TEXT, MAX_SLIDES, type Slide } from '#shared/contract/home-page.ts'
import { CategoryPicker } from '../../ui/CategoryPicker.tsx'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { useFixedButton, useFixedReason } from '../../ui/fixed-field.ts'
import { PictureDrop } from '../../ui/PictureDrop.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'

type Slides = HomePageSettings['carousel']
type Props = { value: Slides; onChange: (value: Slides) => void }

/** The carousel of the home page. */
export function CarouselFields({ value, onChange }: Props) {
  const { t } = useTranslation()
  const isFixed = useFixedReason() !== undefined
  const add = (picture: string) =>
    onChange([...value, { picture, alternatives: {}, url: null, from: null, until: null, categories: [] }])
  return (
    <fieldset>
      <legend>{t('audit-field.carousel')}</legend>
      <p className="muted">{t('home-page-settings.carousel-hint', { most: MAX_SLIDES })}</p>
      {value.map((slide, at) => (
        <SlideFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may stand there twice.
          key={at}
          slide={slide}
          at={at}
          onChange={(part) => onChange(value.with(at, { ...slide, ...part }))}
          onRemove={() => onChange(value.toSpliced(at, 1))}
          onUp={() => onChange(value.toSpliced(at, 1).toSpliced(at - 1, 0, slide))}
        />
      ))}
      {value.length < MAX_SLIDES && !isFixed && (
        <PictureDrop
          label={t('home-page-settings.slide-add')}
          text={t('home-page-settings.slide-add')}
          choose={t('login-topic.picture.choose')}
          hint={(size) => t('home-page-settings.picture-size', { size })}
          onPicture={add}
        />
      )}
    </fieldset>
  )
}

type SlideProps = {
  slide: Slide
  at: number
  onChange: (part: Partial<Slide>) => void
  onRemove: () => void
  onUp: () => void
}

function SlideFields({ slide, at, onChange, onRemove, onUp }: SlideProps) {
  const { t } = useTranslation()
  const number = at + 1
  const nameOf = (field: keyof Slide) => `changes.carousel.${at}.${field}`
  const { alternatives } = slide
  const up = useFixedButton(onUp)
  const remove = useFixedButton(onRemove)
  return (
    <fieldset className="login-page-link" aria-label={t('home-page-settings.slide', { number })}>
      <img className="slide-thumbnail" src={slide.picture} alt="" />
      {wordingLanguages().map((language, index) => (
        <TextField
          key={language}
          label={t('home-page-settings.alternative', { language: languageLabel(t, language) })}
          // An error of all languages is shown at the first.
          name={index === 0 ? nameOf('alternatives') : `${nameOf('alternatives')}.${language}`}
          {...(index === 0 && { hint: t('home-page-settings.alternative-hint') })}
          value={alternatives[language] ?? ''}
          maxLength={MAX_ALTERNATIVE_TEXT}
          isOptional
          onChange={(text) => {
            const { [language]: _, ...others } = alternatives
            onChange({ alternatives: text === '' ? others : { ...others, [language]: text } })
          }}
        />
      ))}
      <TextField
        label={t('home-page-settings.slide-url')}
        name={nameOf('url')}
        value={slide.url ?? ''}
        inputMode="url"
        maxLength={500}
        isOptional
        onChange={(url) => onChange({ url: url === '' ? null : url })}
      />
      <DateTimeField
        label={t('announcement.shownFrom')}
        name={nameOf('from')}
        value={slide.from}
        isOptional
        onChange={(from) => onChange({ from })}
      />
      <DateTimeField
        label={t('announcement.shownUntil')}
        name={nameOf('until')}
        value={slide.until}
        isOptional
        onChange={(until) => onChange({ until })}
      />
      <CategoryPicker
        label={t('home-page-settings.slide-categories')}
        name={nameOf('categories')}
        placeholder={t('home-page-settings.everybody')}
        value={slide.categories}
        onChange={(categories) => onChange({ categories })}
      />
      <span className="slide-verbs">
        {at > 0 && (
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('home-page-settings.slide-up-one', { number })}
            {...up}
          >
            {t('home-page-settings.slide-up')}
          </button>
        )}
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('home-page-settings.slide-remove-one', { number })}
          {...remove}
        >
          {t('home-page-settings.slide-remove')}
        </button>
      </span>
    </fieldset>
  )
}
