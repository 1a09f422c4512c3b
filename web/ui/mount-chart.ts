import { BarChart, LineChart } from 'echarts/charts'
import { BrushComponent, GridComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { designPixel } from '../platform/root-size.ts'
import type { ChartProps } from './chart.types.ts'

use([BarChart, BrushComponent, LineChart, GridComponent, TooltipComponent, CanvasRenderer])

export type ChartHandle = { show(chart: ChartProps): void; resize(): void; end(): void }

/** Renders a chart in an element. The library is large: only importers of this file load it. */
export function drawIn(element: HTMLElement): ChartHandle {
  const chart = init(element, null, { renderer: 'canvas' })
  let onRange: ChartProps['onRange']
  chart.on('brushEnd', (event) => {
    const [first, last] = (event as { areas?: { coordRange?: number[] }[] }).areas?.[0]?.coordRange ?? []
    if (first !== undefined && last !== undefined) onRange?.(Math.round(first), Math.round(last))
  })
  return {
    show(wanted) {
      onRange = wanted.onRange
      chart.setOption(toChartOption(wanted), { notMerge: true })
      if (!onRange) return
      const brushOption = { brushType: 'lineX', brushMode: 'single' }
      chart.dispatchAction({ type: 'takeGlobalCursor', key: 'brush', brushOption })
    },
    resize: () => chart.resize(),
    end: () => chart.dispose(),
  }
}

/** Design pixels and colours as currently applied: theme and accessible reading change both. */
function readStyle() {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const pixel = designPixel()
  return { colour, size: (pixels: number) => pixels * pixel, font: getComputedStyle(document.body).fontFamily }
}

function toChartOption(chart: ChartProps) {
  const { labels, format, onRange } = chart
  const { colour, size, font } = readStyle()
  const text = { color: colour('muted'), fontFamily: font, fontSize: size(12) }
  return {
    // A chart that is redrawn each minute must not attract attention.
    animation: false,
    textStyle: { fontFamily: font },
    ...(onRange && {
      brush: {
        toolbox: [],
        xAxisIndex: 0,
        // The range is requested and the chart redrawn.
        transformable: false,
        brushStyle: { color: colour('primary'), opacity: 0.15, borderColor: colour('primary'), borderWidth: 1 },
      },
    }),
    grid: {
      left: 0,
      // Half of the last label is to the right of its column.
      right: size(Math.max(4, ...labels.slice(-1).map(({ length }) => length * 2))),
      top: size(10),
      bottom: 0,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    tooltip: {
      trigger: 'axis',
      // Drawn on the canvas, because the content security policy forbids inline styles.
      renderMode: 'richText',
      confine: true,
      backgroundColor: colour('card'),
      borderColor: colour('field-border'),
      borderWidth: 1,
      padding: size(10),
      textStyle: { color: colour('ink'), fontFamily: font, fontSize: size(13) },
      axisPointer: { type: 'line', lineStyle: { color: colour('field-border'), type: 'solid' } },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? format(value) : '–'),
    },
    xAxis: {
      type: 'category',
      data: labels,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colour('hairline') } },
      axisLabel: { ...text, margin: size(10), hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 4,
      axisLabel: { ...text, formatter: (value: number) => format(value) },
      splitLine: { lineStyle: { color: colour('hairline') } },
    },
    series: toSeries(chart),
  }
}

function toSeries({ series, isStacked = false }: ChartProps) {
  const { colour, size } = readStyle()
  const bars = (color: string) =>
    isStacked
      ? { stack: 'all', barCategoryGap: '15%', itemStyle: { color } }
      : { barGap: '10%', itemStyle: { color, borderRadius: [size(3), size(3), 0, 0] } }
  return series.map(({ name, kind, tone, values }) => {
    const color = colour(tone)
    if (kind === 'bar') return { type: 'bar', name, data: values, barMaxWidth: size(14), ...bars(color) }
    return {
      type: 'line',
      name,
      data: values,
      showSymbol: false,
      symbol: 'circle',
      symbolSize: size(7),
      smooth: 0.25,
      smoothMonotone: 'x',
      itemStyle: { color },
      lineStyle: { color, width: size(kind === 'former' ? 1.5 : 2.5), type: kind === 'former' ? [4, 4] : 'solid' },
      ...(kind === 'area' && { areaStyle: { color, opacity: 0.1 } }),
    }
  })
}
