import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Theme } from '#shared/contract/themes.ts'
import { measurePairs } from '#shared/rules/contrast-pairs.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useSeenVersion } from '../../ui/use-seen-version.ts'
import { ThemeDifference } from './ThemeDifference.tsx'
import { publish } from './theme-queries.ts'

type Props = {
  theme: Theme
  /** Once it is published, or was found changed by somebody else. */
  onRead: (theme: Theme) => void
  onClose: () => void
}

/** What changes for everybody, and the reason for publishing low contrast. */
export function PublishDialog({ theme, onRead, onClose }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const { inSeenVersion } = useSeenVersion<Theme>(theme.version, {
    reread: (current) => {
      if (current) onRead(current)
      // Nothing is left to publish.
      if (!current?.draft) onClose()
    },
  })
  const { design, draft } = theme
  if (!draft) return null
  const weak = (['light', 'dark'] as const).flatMap((scheme) =>
    measurePairs(draft[scheme], scheme).filter(({ passes }) => !passes),
  )
  return (
    <FormDialog
      title={t('login-topic.publish-title', { name: theme.shownName })}
      verb={t('login-topic.publish')}
      isDirty={reason !== ''}
      onSubmit={async () => onRead(await inSeenVersion((version) => publish(theme.id, version, reason)))}
      onClose={onClose}
    >
      {design ? <ThemeDifference before={design} after={draft} /> : <p>{t('login-topic.first-publish')}</p>}
      {weak.length > 0 && (
        <TextField
          label={t('login-topic.reason')}
          name="reason"
          hint={t('login-topic.reason-hint', { count: weak.length })}
          value={reason}
          maxLength={300}
          isFirst
          onChange={setReason}
        />
      )}
    </FormDialog>
  )
}
