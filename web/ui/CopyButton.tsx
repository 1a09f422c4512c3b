import { useTranslation } from 'react-i18next'
import { copyText } from '../platform/copy-text.ts'
import { Icon } from './Icon.tsx'

type Props = {
  text: string
  /** What is copied, for screen readers. */
  label: string
  onCopied?: () => void
}

export function CopyButton({ text, label, onCopied }: Props) {
  const { t } = useTranslation()
  const copy = async () => {
    if (await copyText(text)) onCopied?.()
  }
  return (
    <button
      type="button"
      className="button button-quiet copy-button"
      aria-label={`${t('action.copy')}: ${label}`}
      title={t('action.copy')}
      onClick={() => void copy()}
    >
      <Icon name="copy" />
    </button>
  )
}
