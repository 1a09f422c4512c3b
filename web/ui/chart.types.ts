type Series = {
  name: string
  kind: 'area' | 'line' | 'former' | 'bar'
  /** A design token. */
  tone: 'primary' | 'muted' | 'danger' | 'well' | 'field-border'
  /** One per label; null: unknown. */
  values: (number | null)[]
}

export type ChartProps = {
  title: string
  /** What the chart shows, in a sentence with its numbers. */
  summary: string
  /** What the labels are: "Hour". */
  labelName: string
  labels: string[]
  series: Series[]
  format: (value: number) => string
  /** Stacks the bars. */
  isStacked?: boolean
  /** A range was selected with the pointer, from one label to another; the table can select a single label. */
  onRange?: ((first: number, last: number) => void) | undefined
}
