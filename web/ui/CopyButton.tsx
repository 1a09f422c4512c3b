import { useTranslation } from 'react-i18next'
import { copyText } from '../platform/copy-text.ts'
import { Icon } from './Icon.tsx'

type Props = {
  text: string
  /** What is copied, for who does not see what it stands beside. */
  label: string
}

export function CopyButton({ text, label }: Props) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className="button button-quiet copy-button"
      aria-label={`${t('action.copy')}: ${label}`}
      title={t('action.copy')}
      onClick={() => void copyText(text)}
    >
      <Icon name="copy" />
    </button>
  )
}
