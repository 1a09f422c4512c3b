import { useTranslation } from 'react-i18next'
import type { Background } from '#shared/rules/theme-design.ts'
import { PictureDrop } from '../../ui/PictureDrop.tsx'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { ColourField } from './ColourField.tsx'
import { FocusPoint } from './FocusPoint.tsx'
import { RangeField } from './RangeField.tsx'

const KINDS = ['drawing', 'colour', 'picture'] as const

type Props = { value: Background; onChange: (value: Background) => void }

/** The background next to the card of the login page. */
export function BackgroundFields({ value, onChange }: Props) {
  const { t } = useTranslation()
  const set = (change: Partial<Background>) => onChange({ ...value, ...change })
  return (
    <fieldset>
      <RadioCards
        legend={t('login-topic.background')}
        value={value.kind}
        options={KINDS.map((kind) => ({
          value: kind,
          label: t(`login-topic.background.${kind}`),
          text: t(`login-topic.background.${kind}-text`),
        }))}
        onChange={(kind) => set({ kind })}
      />
      {value.kind === 'colour' && (
        <div className="colour-grid">
          <ColourField
            label={t('login-topic.background.light')}
            value={value.light}
            onChange={(light) => set({ light })}
          />
          <ColourField label={t('login-topic.background.dark')} value={value.dark} onChange={(dark) => set({ dark })} />
        </div>
      )}
      {value.kind === 'picture' && <PictureFields value={value} set={set} />}
    </fieldset>
  )
}

function PictureFields({ value, set }: { value: Background; set: (change: Partial<Background>) => void }) {
  const { t } = useTranslation()
  const percent = (name: 'focusX' | 'focusY' | 'dim', most: number) => (
    <RangeField
      label={t(`login-topic.background.${name}`)}
      value={value[name]}
      most={most}
      unit="%"
      onChange={(number) => set({ [name]: number })}
    />
  )
  return (
    <>
      <PictureDrop
        label={t('login-topic.background.picture')}
        text={t(value.file ? 'login-topic.picture.there' : 'login-topic.picture.none')}
        choose={t('login-topic.picture.choose')}
        hint={(size) => t('login-topic.picture.hint', { size })}
        onPicture={(file) => set({ file })}
      />
      {value.file && (
        <>
          <FocusPoint picture={value.file} x={value.focusX} y={value.focusY} onChange={set} />
          {percent('focusX', 100)}
          {percent('focusY', 100)}
          {percent('dim', 60)}
        </>
      )}
    </>
  )
}
