import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Theme } from '#shared/contract/themes.ts'
import { measurePairs } from '#shared/rules/contrast-pairs.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { fieldDiff } from '../../ui/field-diff.ts'
import { TextField } from '../../ui/TextField.tsx'
import { publish } from './theme-queries.ts'

type Props = { theme: Theme; onDone: (theme: Theme) => void; onClose: () => void }

/** What will change for everybody, and why it is published although something is hard to read. */
export function PublishDialog({ theme, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
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
      onSubmit={async () => onDone(await publish(theme, reason))}
      onClose={onClose}
    >
      {design ? <Difference before={design} after={draft} /> : <p>{t('login-topic.first-publish')}</p>}
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

type Design = NonNullable<Theme['draft']>

function Difference({ before, after }: { before: Design; after: Design }) {
  const { t } = useTranslation()
  const changes = fieldDiff(before, after)
  if (changes.length === 0) return <p>{t('diff.nothing')}</p>
  return (
    <table className="theme-difference">
      <thead>
        <tr>
          <th scope="col">{t('diff.field')}</th>
          <th scope="col">{t('diff.before')}</th>
          <th scope="col">{t('diff.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before: former, after: next }) => (
          <tr key={path.join('.')}>
            <th scope="row">
              <FieldName path={path} />
            </th>
            <td>
              <FieldValue value={former} />
            </td>
            <td>
              <FieldValue value={next} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function FieldName({ path: [part = '', name = ''] }: { path: readonly string[] }) {
  const { t } = useTranslation()
  if (part === 'light' || part === 'dark') {
    return t('login-topic.colour-in', { name: t(`theme-colour.${name as 'ink'}`), scheme: t(`light.${part}`) })
  }
  return t(`theme-part.${(name || part) as 'radius'}`)
}

function FieldValue({ value }: { value: unknown }) {
  const text = value === null || value === undefined ? '—' : String(value)
  if (!text.startsWith('#')) return text.replace(/^.*\//, '')
  return (
    <span className="colour-value">
      <span className="swatches" aria-hidden="true">
        <span style={{ background: text }} />
      </span>
      {text}
    </span>
  )
}
