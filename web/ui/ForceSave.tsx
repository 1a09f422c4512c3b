import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocksOutData } from '#shared/contract/access-rules.ts'
import { CONFIRM_WITHIN_MINUTES, LOCK_OUT_ERRORS } from '#shared/contract/unconfirmed-changes.ts'
import { isRefusal } from '../platform/refusal.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type Props = {
  /** The error of the last attempt. */
  error: unknown
  /** Saves although it locks somebody out; errors are shown in the dialog. */
  onForce: () => Promise<unknown>
}

/** Below a refusal because a change locks somebody out: saves it provisionally. */
export function ForceSave({ error, onForce }: Props) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  if (!LOCK_OUT_ERRORS.some((code) => isRefusal(error, code))) return null
  return (
    <>
      <button type="button" className="button force-save" onClick={() => setAsking(true)}>
        {t('force-save.open')}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={t('force-save.title')}
          verb={t('force-save.verb')}
          onConfirm={onForce}
          onClose={() => setAsking(false)}
        >
          <p>{t('force-save.text', { count: CONFIRM_WITHIN_MINUTES })}</p>
          <p className="muted">{t(endsSession(error) ? 'force-save.how-refused' : 'force-save.how')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** A rule that refuses its author does so at the next click. */
const endsSession = (error: unknown): boolean =>
  isRefusal(error, 'policy.locks-out') && (error.data as LocksOutData).whom === 'caller'
