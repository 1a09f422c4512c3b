import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadChunk } from '../platform/load-chunk.ts'
import { useReadingChoices } from '../platform/reading-choices.ts'
import { useIsDark } from '../platform/theme.ts'
import type { ChartProps } from './chart.types.ts'
import type { ChartHandle } from './mount-chart.ts'
import './chart.css'

/** A chart with a legend, a summary sentence, and the numbers as a table. */
export function Chart(props: ChartProps) {
  const { t } = useTranslation()
  const { summary, series } = props
  const isEmpty = series.every(({ values }) => values.every((value) => !value))
  const element = useRef<HTMLDivElement>(null)
  const drawn = useDrawing(element)
  const isDark = useIsDark()
  const reading = useReadingChoices()
  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and reading change the colours that are looked up.
  useEffect(() => drawn?.show(props), [drawn, props, isDark, reading])
  return (
    <div className="chart">
      <ul className="chart-legend" aria-hidden="true">
        {series.map(({ name, kind, tone }) => (
          <li key={name}>
            <span className={`chart-key chart-key-${kind} chart-tone-${tone}`} />
            {name}
          </li>
        ))}
      </ul>
      <div className="chart-area">
        <div className="chart-drawing" role="img" aria-label={summary} ref={element} />
        {isEmpty && <p className="chart-empty muted">{t('chart.empty')}</p>}
      </div>
      <ChartTable {...props} />
    </div>
  )
}

/** How far below the window a chart starts rendering. */
const NEAR = '0px 0px 160px'

/** The chart; null while it is out of view or the library, as large as the rest of a page, is loading. */
function useDrawing(element: React.RefObject<HTMLDivElement | null>): ChartHandle | null {
  const [drawn, setDrawn] = useState<ChartHandle | null>(null)
  useEffect(() => {
    let isGone = false
    let opened: ChartHandle | undefined
    const resized = new ResizeObserver(() => opened?.resize())
    const draw = async () => {
      const { drawIn } = await loadChunk(() => import('./mount-chart.ts'))
      if (isGone || !element.current) return
      opened = drawIn(element.current)
      resized.observe(element.current)
      setDrawn(opened)
    }
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        seen.disconnect()
        void draw()
      },
      { rootMargin: NEAR },
    )
    if (element.current) seen.observe(element.current)
    return () => {
      isGone = true
      seen.disconnect()
      resized.disconnect()
      opened?.end()
    }
  }, [element])
  return drawn
}

function ChartTable({ title, labelName, labels, series, format, onRange }: ChartProps) {
  const { t } = useTranslation()
  return (
    <details className="chart-table">
      <summary>{t('chart.as-table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <section className="chart-table-scroll" tabIndex={0} aria-label={title}>
        <table>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{labelName}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={label}>
                <th scope="row">
                  {onRange ? (
                    <button
                      type="button"
                      className="button button-quiet"
                      aria-label={t('log.only-value', { label })}
                      onClick={() => onRange(at, at)}
                    >
                      {label}
                    </button>
                  ) : (
                    label
                  )}
                </th>
                {series.map(({ name, values }) => {
                  const value = values[at] ?? null
                  return <td key={name}>{value === null ? '–' : format(value)}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
