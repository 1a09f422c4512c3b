import { useTranslation } from 'react-i18next'
import { copyText } from '../../platform/copy-text.ts'
import { sessionUser } from '../../platform/session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'

/**
 * Shown once, because only keyed hashes are stored. Only its button closes it, so that the codes aren't lost by
 * accident.
 */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('two-step.codes.title')}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('two-step.codes.kept')}
        </button>
      }
    >
      <p>{t('two-step.codes.why')}</p>
      <ul className="recovery-codes" data-unread aria-label={t('two-step.codes.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="form-actions">
        <button type="button" className="button" data-first-focus onClick={() => void copyText(codes.join('\n'))}>
          {t('two-step.codes.copy')}
        </button>
        <button type="button" className="button" onClick={() => save(t('two-step.codes.file'), codes)}>
          <Icon name="download" />
          {t('two-step.codes.download')}
        </button>
        <button type="button" className="button" onClick={() => print()}>
          {t('two-step.codes.print')}
        </button>
      </div>
    </Dialog>
  )
}

/** The first line names the account: codes alone don't say what they are for. */
function save(name: string, codes: readonly string[]): void {
  const text = [`${location.host} ${sessionUser()?.account ?? ''}`, ...codes, ''].join('\n')
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.txt`
  link.click()
  URL.revokeObjectURL(address)
}
