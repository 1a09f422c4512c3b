import { useTranslation } from 'react-i18next'
import { StateWord } from '../../ui/StateWord.tsx'

const TONES = { open: 'well', closed: 'caution', deleted: 'danger' } as const

type Props = { app: { state: 0 | 1; deleted: boolean } }

/** Enabled, disabled or deleted: a dot and a word. */
export function ApplicationState({ app }: Props) {
  const { t } = useTranslation()
  const word = app.deleted ? 'deleted' : app.state === 1 ? 'open' : 'closed'
  return <StateWord tone={TONES[word]}>{t(`application-manage.${word}`)}</StateWord>
}

/** Marks the portal itself: it can't be deleted. */
export function BuiltInTag({ app: { builtIn } }: { app: { builtIn: boolean } }) {
  const { t } = useTranslation()
  return builtIn ? <span className="tag">{t('application-manage.built-in')}</span> : null
}
