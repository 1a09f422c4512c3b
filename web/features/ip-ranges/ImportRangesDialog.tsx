import { useTranslation } from 'react-i18next'
import {
  checkIpRangeImport,
  type IpRangeImportReport,
  MAX_IP_RANGE_IMPORT_BYTES,
  MAX_IP_RANGES,
  RANGE_KINDS,
  runIpRangeImport,
} from '#shared/contract/ip-ranges.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { upload } from '../../platform/upload.ts'
import { FileImportDialog } from '../../ui/FileImportDialog.tsx'
import { StateWord, type Tone } from '../../ui/StateWord.tsx'
import { refreshRanges } from './ip-range-queries.ts'

const TONES: Readonly<Record<IpRangeImportReport['rows'][number]['result'], Tone>> = {
  new: 'well',
  changed: 'primary',
  unchanged: 'quiet',
  refused: 'danger',
}

/** Imports ranges from a file: all rows are checked first, then imported all or none. */
export function ImportRangesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const number = useCount()
  return (
    <FileImportDialog<IpRangeImportReport>
      title={t('ip-range.import-title')}
      explain={t('ip-range.import.explain')}
      words={{
        choose: t('ip-range.import.choose'),
        drop: t('ip-range.import.drop'),
        reading: t('ip-range.import.reading'),
        limits: t('ip-range.import.limits', { rows: number(MAX_IP_RANGES) }),
      }}
      mostBytes={MAX_IP_RANGE_IMPORT_BYTES}
      check={(file) => upload(checkIpRangeImport, {}, file)}
      run={async (file) => {
        const { counts } = await upload(runIpRangeImport, {}, file)
        await refreshRanges()
        notify('well', t('ip-range.import.done', { fresh: number(counts.new), changed: number(counts.changed) }))
      }}
      verb={({ counts }) => {
        const writes = counts.new + counts.changed
        return counts.refused > 0 || writes === 0
          ? null
          : t('ip-range.import.run', { count: writes, shown: number(writes) })
      }}
      report={(report) => <Report report={report} />}
      help={<TemplateButton />}
      onClose={onClose}
    />
  )
}

/** Refused rows come first; enough others to see what the import does. */
const ROWS_SHOWN = 200

function Report({ report: { rows, counts } }: { report: IpRangeImportReport }) {
  const { t } = useTranslation()
  const number = useCount()
  const more = rows.length - ROWS_SHOWN
  const inOrder = rows.toSorted((a, b) => Number(b.result === 'refused') - Number(a.result === 'refused'))
  return (
    <>
      <p className={counts.refused > 0 ? 'banner banner-danger' : 'banner'} role="status">
        {t(counts.refused > 0 ? 'ip-range.import.summary-refused' : 'ip-range.import.summary', {
          count: counts.refused,
          fresh: number(counts.new),
          changed: number(counts.changed),
          unchanged: number(counts.unchanged),
          refused: number(counts.refused),
        })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse. */}
      <section className="import-report" tabIndex={0} aria-label={t('ip-range.import.report')}>
        <table aria-label={t('ip-range.import.report')}>
          <thead>
            <tr>
              <th scope="col">{t('ip-range.import.row')}</th>
              <th scope="col">{t('ip-range.name')}</th>
              <th scope="col">{t('ip-range.import.result')}</th>
              <th scope="col">{t('ip-range.networks')}</th>
            </tr>
          </thead>
          <tbody>
            {inOrder.slice(0, ROWS_SHOWN).map(({ row, name, result, networks, message }) => (
              <tr key={row}>
                <td className="tabular">{row}</td>
                <th scope="row">{name || '—'}</th>
                <td>
                  <StateWord tone={TONES[result]}>{t(`ip-range.import.result.${result}`)}</StateWord>
                </td>
                <td>{message ?? networks.join(t('list.separator'))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {more > 0 && <p className="muted">{t('ip-range.import.more-rows', { count: more, number: number(more) })}</p>}
      </section>
    </>
  )
}

const NETWORK_EXAMPLES = {
  campus: '10.20.0.0/16 2001:db8:20::/48',
  trusted: '198.51.100.1-198.51.100.20',
  blocked: '203.0.113.0/24',
  other: '192.0.2.7',
} as const

/** Downloads a template with headings and a row for each kind, in the language of the page. */
function TemplateButton() {
  const { t } = useTranslation()
  const save = () => {
    const headings = (['name', 'kind', 'networks', 'note', 'enabled'] as const).map((column) => t(`ip-range.${column}`))
    const rows = RANGE_KINDS.map((kind) => {
      const label = t(`ip-range.kind.${kind}`)
      return [label, label, NETWORK_EXAMPLES[kind], '', t('ip-range.state.on')]
    })
    saveCsv([headings, ...rows], `${t('ip-range.title')}.csv`)
  }
  return (
    <button type="button" className="button button-quiet range-template" onClick={save}>
      {t('ip-range.import.template')}
    </button>
  )
}

function saveCsv(rows: readonly string[][], fileName: string): void {
  const text = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')
  const link = document.createElement('a')
  // With a byte order mark, by which spreadsheet programs recognise UTF-8.
  link.href = URL.createObjectURL(new Blob([`\ufeff${text}\r\n`], { type: 'text/csv' }))
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}
