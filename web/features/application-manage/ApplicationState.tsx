import { useTranslation } from 'react-i18next'
import { StateWord } from '../../ui/StateWord.tsx'

const TONES = { open: 'well', closed: 'caution', deleted: 'danger' } as const

type Props = { app: { state: 0 | 1; deleted: boolean; builtIn: boolean } }

/** Open, closed or deleted: a dot and a word. */
export function ApplicationState({ app }: Props) {
  const { t } = useTranslation()
  const word = app.deleted ? 'deleted' : app.state === 1 ? 'open' : 'closed'
  return (
    <span className="app-states">
      <StateWord tone={TONES[word]}>{t(`application-manage.${word}`)}</StateWord>
      {app.builtIn && <span className="tag">{t('application-manage.built-in')}</span>}
    </span>
  )
}
