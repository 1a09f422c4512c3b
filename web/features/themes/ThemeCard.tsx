import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Theme } from '#shared/contract/themes.ts'
import { PreviewFrame } from '../../ui/PreviewFrame.tsx'

type Props = {
  theme: Theme
  preview: { token: string; edition: number } | null
  isShown: boolean
  canChoose: boolean
  onChoose: () => void
  onDuplicate: () => void
  onEdit: () => void
  onDelete: () => void
}

/** A theme as the real login page wears it, with what can be done with it. */
export function ThemeCard({ theme, preview, isShown, canChoose, onChoose, onDuplicate, onEdit, onDelete }: Props) {
  const { t, i18n } = useTranslation()
  const { shownName: name, shipped, design, draft } = theme
  const look = design ?? draft ?? undefined
  return (
    <li className={isShown ? 'theme-card theme-card-shown' : 'theme-card'}>
      <div className="theme-thumbnails">
        {(['light', 'dark'] as const).map((scheme) => (
          <PreviewFrame
            key={scheme}
            preview={preview}
            page="login"
            title={name}
            theme={look}
            scheme={scheme}
            language={i18n.language as Language}
            isThumbnail
          />
        ))}
      </div>
      <h2>{name}</h2>
      <p className="theme-states">
        {isShown && <span className="tag tag-well">{t('login-topic.shown')}</span>}
        {shipped && <span className="tag">{t('login-topic.shipped')}</span>}
        {!design && <span className="tag">{t('login-topic.unpublished')}</span>}
        {design && draft && <span className="tag">{t('login-topic.has-draft')}</span>}
      </p>
      <p className="form-actions">
        {!isShown && design && canChoose && (
          <button
            type="button"
            className="button"
            aria-label={t('login-topic.choose-one', { name })}
            onClick={onChoose}
          >
            {t('login-topic.choose')}
          </button>
        )}
        {!shipped && (
          <button type="button" className="button" aria-label={t('login-topic.edit-one', { name })} onClick={onEdit}>
            {t('login-topic.edit')}
          </button>
        )}
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('login-topic.duplicate-one', { name })}
          onClick={onDuplicate}
        >
          {t('login-topic.duplicate')}
        </button>
        {!shipped && !isShown && (
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('login-topic.delete-one', { name })}
            onClick={onDelete}
          >
            {t('login-topic.delete')}
          </button>
        )}
      </p>
    </li>
  )
}
