import { useTranslation } from 'react-i18next'
import { BeforeAfterTable } from '../../ui/BeforeAfterTable.tsx'
import { designPartName, designPartText } from '../../ui/design-words.ts'
import { fieldDiff } from '../../ui/field-diff.ts'

/** In what two states of a theme differ, colours and pictures by sight. */
export function ThemeDifference({ before, after }: { before: object; after: object }) {
  const { t } = useTranslation()
  const changes = fieldDiff({ ...before }, { ...after })
  if (changes.length === 0) return <p>{t('diff.nothing')}</p>
  return (
    <BeforeAfterTable className="theme-difference">
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
    </BeforeAfterTable>
  )
}

function PartValue({ path, value }: { path: readonly string[]; value: unknown }) {
  const { t } = useTranslation()
  const text = designPartText(t, path, value)
  if (path.at(-1) === 'file' && typeof value === 'string') {
    return <img className="theme-difference-picture" src={value} alt={text} />
  }
  if (!/^#[\da-f]{6}$/.test(text)) return text
  return (
    <span className="colour-value">
      <span className="swatches" aria-hidden="true">
        <span style={{ background: text }} />
      </span>
      {text}
    </span>
  )
}
