import { useTranslation } from 'react-i18next'
import { type OrganizationNode, updateOrganization } from '#shared/contract/organizations.ts'
import { call } from '../../platform/api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { NamedByRules } from '../../ui/NamedByRules.tsx'
import type { DoneHandler } from './done-handler.types.ts'
import { useSeenOrganization } from './use-seen-organization.ts'

type Props = { node: OrganizationNode; onDone: DoneHandler; onClose: () => void }

/** Disabling stops new people from being added; it can be undone. */
export function EnableDialog({ node, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const { id, name, version, enabled } = node
  const inSeenVersion = useSeenOrganization(version)
  const confirm = async () => {
    await inSeenVersion((seen) =>
      call(updateOrganization, { query: { id }, body: { version: seen, enabled: !enabled } }),
    )
    onDone(t(enabled ? 'organization.was-disabled' : 'organization.was-enabled', { name }))
  }
  return (
    <ConfirmDialog
      title={t(enabled ? 'organization.disable-title' : 'organization.enable-title', { name })}
      verb={t(enabled ? 'organization.disable' : 'organization.enable')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t(enabled ? 'organization.disable-text' : 'organization.enable-text')}</p>
      {enabled && <NamedByRules field="who.organizations" values={[id]} isKept onLeave={onClose} />}
    </ConfirmDialog>
  )
}
