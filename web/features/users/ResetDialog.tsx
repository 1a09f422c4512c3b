import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { resetMethods, resetUser } from '#shared/contract/user-verbs.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { type CallOutput, call } from '../../platform/api.ts'
import { loadChunk } from '../../platform/load-chunk.ts'
import { notify } from '../../platform/notices.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { LeaveDialog } from '../../ui/LeaveDialog.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Time } from '../../ui/Time.tsx'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import { refreshPeople } from './people-queries.ts'

const QrCode = lazy(async () => ({ default: (await loadChunk(() => import('../../ui/QrCode.tsx'))).QrCode }))

export type OneTimeLink = { code: string; expiresAt: string }

type Props = {
  person: Pick<UserDetails, 'id' | 'account' | 'name'>
  onClose: () => void
  onLink: (link: OneTimeLink) => void
}

/** How the person gets the link. */
type ResetMethod = 'mail' | 'sms' | 'hand'

/** Resets an account; only the person ever knows the new password. */
export function ResetDialog({ person, onClose, onLink }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  // Somebody else may have the phone or mailbox, which may be the reason for the reset: sending is optional.
  const [method, setMethod] = useState<ResetMethod>('hand')
  const { data, isPending } = useQuery({
    queryKey: ['reset-methods', person.id],
    queryFn: ({ signal }) => call(resetMethods, { query: { id: person.id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  const methods = data?.records ?? []
  const submit = async () => {
    const body = { ...(reason && { reason }), ...(method !== 'hand' && { send: method }) }
    const { code, expiresAt, sentTo } = await call(resetUser, { query: { id: person.id }, body })
    if (code) onLink({ code, expiresAt })
    else notify('well', t('person.reset.sent', { to: sentTo }))
    await refreshPeople()
  }
  return (
    <FormDialog
      title={t('person.reset.title', { name: t('person.named', person) })}
      verb={t('person.reset')}
      onSubmit={submit}
      onClose={onClose}
      isDirty={reason !== '' || method !== 'hand'}
      isAwaited
      isDanger
    >
      <p>{t('person.reset.text')}</p>
      {isPending && <Skeleton lines={2} />}
      {methods.length > 0 && <ResetMethodChoice methods={methods} value={method} onChange={setMethod} />}
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

type ChoiceProps = {
  methods: CallOutput<typeof resetMethods>['records']
  value: ResetMethod
  onChange: (method: ResetMethod) => void
}

function ResetMethodChoice({ methods, value, onChange }: ChoiceProps) {
  const { t } = useTranslation()
  return (
    <RadioCards<ResetMethod>
      legend={t('person.reset.method')}
      value={value}
      options={[
        { value: 'hand', label: t('person.reset.method.hand'), text: t('person.reset.method.hand-hint') },
        ...methods.map(({ channel, to, isSettled }) => ({
          value: channel,
          label: t(`person.reset.method.${channel}`, { to }),
          text: t(isSettled ? 'person.reset.method.sent-hint' : 'person.reset.method.changed'),
          disabled: !isSettled,
        })),
      ]}
      onChange={onChange}
    />
  )
}

/** The activation link, shown once: closing before copying asks for confirmation. */
export function LinkDialog({ name, link, onClose }: { name: string; link: OneTimeLink; onClose: () => void }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const [asks, setAsks] = useState(false)
  const address = `${location.origin}/auth_web/activation?code=${link.code}`
  return (
    <Dialog
      title={t('person.link.title', { name })}
      onClose={() => (isCopied ? onClose() : setAsks(true))}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('person.link.done')}
        </button>
      }
    >
      <p>{t('person.link.text')}</p>
      <p className="person-link">
        <code onCopy={() => setCopied(true)}>{address}</code>
        <CopyButton text={address} label={t('person.link')} onCopied={() => setCopied(true)} />
      </p>
      <div className="person-link-picture">
        <Suspense fallback={null}>
          <QrCode text={address} label={t('person.link.picture')} />
        </Suspense>
      </div>
      <p className="muted">{t('person.link.scan')}</p>
      <p className="muted">
        {t('person.link.until')} <Time value={link.expiresAt} />
      </p>
      <UnsavedGuard when={!isCopied} what="uncopied" />
      {asks && <LeaveDialog what="uncopied" onLeave={onClose} onStay={() => setAsks(false)} />}
    </Dialog>
  )
}
