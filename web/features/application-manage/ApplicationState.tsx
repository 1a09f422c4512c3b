import { useTranslation } from 'react-i18next'

type Props = { app: { state: 0 | 1; deleted: boolean; builtIn: boolean } }

/** Open, closed or deleted: a dot and a word. */
export function ApplicationState({ app }: Props) {
  const { t } = useTranslation()
  const word = app.deleted ? 'deleted' : app.state === 1 ? 'open' : 'closed'
  return (
    <span className="app-states">
      <span className={word === 'open' ? 'tag tag-well' : 'tag tag-caution'}>
        <span className="dot" />
        {t(`application-manage.${word}`)}
      </span>
      {app.builtIn && <span className="tag">{t('application-manage.built-in')}</span>}
    </span>
  )
}
