import { useTranslation } from 'react-i18next'
import {
  checkTextImport,
  MAX_TEXT_IMPORT_BYTES,
  runTextImport,
  type TextImportReport,
} from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { upload } from '../../platform/upload.ts'
import { Breakable } from '../../ui/Breakable.tsx'
import { FileImportDialog } from '../../ui/FileImportDialog.tsx'
import { StateWord, type Tone } from '../../ui/StateWord.tsx'
import { refreshTexts } from './text-queries.ts'

type Row = TextImportReport['rows'][number]

const TONES: Readonly<Record<Row['result'], Tone>> = {
  changed: 'primary',
  unchanged: 'quiet',
  refused: 'danger',
  conflict: 'caution',
}

/** Imports texts from a file: checked row by row, then the valid ones are imported. */
export function ImportTextsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const number = useCount()
  return (
    <FileImportDialog<TextImportReport>
      title={t('text-import.title')}
      explain={t('text-import.explain')}
      words={{
        choose: t('text-import.choose'),
        drop: t('text-import.drop'),
        reading: t('text-import.reading'),
        limits: t('text-import.limits'),
      }}
      mostBytes={MAX_TEXT_IMPORT_BYTES}
      check={(file) => upload(checkTextImport, {}, file)}
      run={async (file) => {
        const { counts } = await upload(runTextImport, {}, file)
        await refreshTexts()
        notify('well', t('text-import.done', { changed: number(counts.changed) }))
      }}
      verb={({ counts: { changed } }) =>
        changed === 0 ? null : t('text-import.run', { count: changed, shown: number(changed) })
      }
      report={(report) => <Report report={report} />}
      onClose={onClose}
    />
  )
}

/** Rows with problems come first. */
const ROWS_SHOWN = 200
const ORDER: readonly Row['result'][] = ['refused', 'conflict', 'changed', 'unchanged']

function Report({ report: { rows, counts } }: { report: TextImportReport }) {
  const { t } = useTranslation()
  const number = useCount()
  const inOrder = rows.toSorted((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result))
  const shown = inOrder.slice(0, ROWS_SHOWN)
  const more = counts.changed + counts.refused + counts.conflict - shown.length
  return (
    <>
      <p className={counts.refused > 0 ? 'banner banner-danger' : 'banner'} role="status">
        {t('text-import.summary', {
          changed: number(counts.changed),
          unchanged: number(counts.unchanged),
          conflict: number(counts.conflict),
          refused: number(counts.refused),
        })}
      </p>
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse.
        <section className="import-report" tabIndex={0} aria-label={t('text-import.report')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('text-import.row')}</th>
                <th scope="col">{t('language-list.key')}</th>
                <th scope="col">{t('text-import.result')}</th>
                <th scope="col">{t('text-import.values')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <ReportRow key={`${row.row} ${row.language}`} row={row} />
              ))}
            </tbody>
          </table>
          {more > 0 && <p className="muted">{t('text-import.more-rows', { count: more, number: number(more) })}</p>}
        </section>
      )}
    </>
  )
}

function ReportRow({ row: { row, key, language, result, message, shipped, now, given } }: { row: Row }) {
  const { t } = useTranslation()
  const values = [
    ['shipped', result === 'conflict' ? shipped : null],
    ['now', now],
    ['given', given],
  ] as const
  return (
    <tr>
      <td className="tabular">{row}</td>
      <th scope="row">
        <code className="text-key">
          <Breakable text={key} />
        </code>{' '}
        {language}
      </th>
      <td>
        <StateWord tone={TONES[result]}>{t(`text-import.result.${result}`)}</StateWord>
        {message && <p>{message}</p>}
      </td>
      <td>
        {values.map(
          ([name, value]) =>
            value !== null && (
              <p key={name}>
                <span className="muted">{t(`text-import.${name}`)}</span>{' '}
                {value === '' ? (
                  t('language-list.state.missing')
                ) : (
                  <span lang={languageTag(language)} dir="auto">
                    {value}
                  </span>
                )}
              </p>
            ),
        )}
      </td>
    </tr>
  )
}
