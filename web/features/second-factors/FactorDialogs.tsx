import { useTranslation } from 'react-i18next'
import {
  removePasskey,
  removeTotp,
  removeTrustedBrowsers,
  renewRecoveryCodes,
} from '#shared/contract/second-factors.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { withReauthentication } from '../../platform/reauthentication.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { refreshFactors } from './factor-queries.ts'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { RenamePasskeyDialog } from './RenamePasskeyDialog.tsx'
import { TotpSetupDialog } from './TotpSetupDialog.tsx'
import type { FactorDialog } from './use-factor-dialog.ts'

type Props = { opened: FactorDialog | null; setOpened: (next: FactorDialog | null) => void }

/** The open dialog, if any. */
export function FactorDialogs({ opened, setOpened }: Props) {
  const { t } = useTranslation()
  const onClose = () => setOpened(null)
  const added = (done: string) => (codes: string[] | null) => {
    notify('well', done)
    setOpened(codes && { kind: 'codes', codes })
  }
  if (!opened) return null
  switch (opened.kind) {
    case 'app':
      return <TotpSetupDialog onDone={added(t('two-step.app.done'))} onClose={onClose} />
    case 'passkey':
      return <AddPasskeyDialog onDone={added(t('two-step.passkeys.done'))} onClose={onClose} />
    case 'codes':
      return <RecoveryCodesDialog codes={opened.codes} onClose={onClose} />
    case 'rename-passkey':
      return <RenamePasskeyDialog passkey={opened.passkey} onClose={onClose} />
    default:
      return <ConfirmFactorChange opened={opened} setOpened={setOpened} />
  }
}

type ConfirmableChange = Extract<FactorDialog, { kind: 'renew-codes' | 'remove-app' | 'remove-passkey' | 'forget' }>

/** Says what will stop working before it does. */
function ConfirmFactorChange({ opened, setOpened }: { opened: ConfirmableChange; setOpened: Props['setOpened'] }) {
  const { t } = useTranslation()
  const { title, verb, text } = useConfirmTexts(opened)
  const confirm = async () => {
    const codes = await withReauthentication(() => applyChange(opened))
    await refreshFactors()
    if (codes) setTimeout(() => setOpened({ kind: 'codes', codes }))
    else notify('well', t('two-step.done'))
  }
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      isAwaited={opened.kind === 'renew-codes'}
      onConfirm={confirm}
      onClose={() => setOpened(null)}
    >
      <p>{text}</p>
    </ConfirmDialog>
  )
}

/** @returns new recovery codes, if those were changed. */
async function applyChange(opened: ConfirmableChange): Promise<string[] | null> {
  switch (opened.kind) {
    case 'renew-codes':
      return (await call(renewRecoveryCodes, { body: {} })).recoveryCodes
    case 'remove-app':
      return await call(removeTotp, { body: {} })
    case 'remove-passkey':
      return await call(removePasskey, { body: { id: opened.passkey.id } })
    case 'forget':
      return await call(removeTrustedBrowsers, { body: { ids: [opened.id] } })
  }
}

function useConfirmTexts(opened: ConfirmableChange): { title: string; verb: string; text: string } {
  const { t } = useTranslation()
  switch (opened.kind) {
    case 'renew-codes':
      return { title: t('two-step.codes.renew'), verb: t('two-step.codes.renew'), text: t('two-step.codes.renew-text') }
    case 'remove-app':
      return { title: t('two-step.app.remove'), verb: t('two-step.app.remove'), text: t('two-step.app.remove-text') }
    case 'remove-passkey': {
      const { name } = opened.passkey
      const title = t('two-step.passkeys.remove-one', { name })
      return { title, verb: t('two-step.passkeys.remove'), text: t('two-step.passkeys.remove-text', { name }) }
    }
    case 'forget': {
      const title = t('two-step.trusted.forget-one', { name: opened.name })
      return { title, verb: t('two-step.trusted.forget'), text: t('two-step.trusted.forget-text') }
    }
  }
}
