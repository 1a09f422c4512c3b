import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Theme } from '#shared/contract/themes.ts'
import { PreviewFrame } from '../../ui/PreviewFrame.tsx'
import { useRestoreFocus } from '../../ui/restore-focus.ts'

type Props = {
  theme: Theme
  preview: { token: string; edition: number } | null
  isShown: boolean
  /** It is the default theme. */
  isChosen: boolean
  canChoose: boolean
  onChoose: () => void
  onDuplicate: () => void
  onEdit: () => void
  onDelete: () => void
}

/** A theme on the real login page, with its actions. */
export function ThemeCard({
  theme,
  preview,
  isShown,
  isChosen,
  canChoose,
  onChoose,
  onDuplicate,
  onEdit,
  onDelete,
}: Props) {
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
        {isChosen && !isShown && <span className="tag">{t('login-topic.chosen-otherwise')}</span>}
        {shipped && <span className="tag">{t('login-topic.shipped')}</span>}
        {!design && <span className="tag">{t('login-topic.unpublished')}</span>}
        {design && draft && <span className="tag">{t('login-topic.has-draft')}</span>}
      </p>
      <p className="form-actions">
        {!isChosen && design && canChoose && <CardButton verb="choose" name={name} onClick={onChoose} />}
        {!shipped && <CardButton verb="edit" name={name} onClick={onEdit} />}
        <CardButton verb="duplicate" name={name} isQuiet onClick={onDuplicate} />
        {!shipped && !isShown && !isChosen && <CardButton verb="delete" name={name} isQuiet onClick={onDelete} />}
      </p>
    </li>
  )
}

type ButtonProps = {
  verb: 'choose' | 'edit' | 'duplicate' | 'delete'
  name: string
  isQuiet?: boolean
  onClick: () => void
}

function CardButton({ verb, name, isQuiet, onClick }: ButtonProps) {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  // The button disappears once the theme is in use.
  useRestoreFocus(button)
  return (
    <button
      ref={button}
      type="button"
      className={isQuiet ? 'button button-quiet' : 'button'}
      aria-label={t(`login-topic.${verb}-one`, { name })}
      onClick={onClick}
    >
      {t(`login-topic.${verb}`)}
    </button>
  )
}
