import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Theme } from '#shared/contract/themes.ts'
import { measurePairs } from '#shared/rules/contrast-pairs.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { fieldDiff } from '../../ui/field-diff.ts'
import { TextField } from '../../ui/TextField.tsx'
import { designPartName, designPartText } from './design-words.ts'
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
            <th scope="row">{designPartName(t, path)}</th>
            {[former, next].map((value, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: before and after.
              <td key={at}>
                <PartValue path={path} value={value} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function PartValue({ path, value }: { path: readonly string[]; value: unknown }) {
  const { t } = useTranslation()
  const text = designPartText(t, path, value)
  if (path.at(-1) === 'file' && typeof value === 'string') {
    return <img className="theme-difference-picture" src={value} alt={text} />
  }
  if (!text.startsWith('#')) return text
  return (
    <span className="colour-value">
      <span className="swatches" aria-hidden="true">
        <span style={{ background: text }} />
      </span>
      {text}
    </span>
  )
}
