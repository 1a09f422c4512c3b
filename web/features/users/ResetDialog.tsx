import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { resetUser } from '#shared/contract/user-verbs.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { call } from '../../platform/api.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Time } from '../../ui/Time.tsx'
import { refreshPeople } from './people.ts'

export type OneTimeLink = { code: string; expiresAt: string }

type Props = { person: Pick<UserDetails, 'id' | 'name'>; onClose: () => void; onLink: (link: OneTimeLink) => void }

/** Starts a person over; nobody but they ever knows the new password. */
export function ResetDialog({ person, onClose, onLink }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const submit = async () => {
    const link = await call(resetUser, { query: { id: person.id }, body: reason ? { reason } : {} })
    onLink(link)
    await refreshPeople()
  }
  return (
    <FormDialog
      title={t('person.reset.title', { name: person.name })}
      verb={t('person.reset')}
      onSubmit={submit}
      onClose={onClose}
      isDanger
    >
      <p>{t('person.reset.text')}</p>
      <TextField
        label={t('person.reason')}
        hint={t('person.reason-hint')}
        value={reason}
        maxLength={200}
        onChange={setReason}
        isOptional
      />
    </FormDialog>
  )
}

/** The way back in, shown this once. */
export function LinkDialog({ name, link, onClose }: { name: string; link: OneTimeLink; onClose: () => void }) {
  const { t } = useTranslation()
  const address = `${location.origin}/auth_web/activation?code=${link.code}`
  return (
    <Dialog
      title={t('person.link.title', { name })}
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('person.link.done')}
        </button>
      }
    >
      <p>{t('person.link.text')}</p>
      <p className="person-link">
        <code>{address}</code>
        <CopyButton text={address} label={t('person.link')} />
      </p>
      <p className="muted">
        {t('person.link.until')} <Time value={link.expiresAt} />
      </p>
    </Dialog>
  )
}
