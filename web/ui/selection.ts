/** The target of a list action: ticked rows, or everything that matches the filters. */
export type Selection<Row> = { rows: Row[] } | { all: Record<string, string>; expected: number }

/** The most rows that can be ticked individually, as in the contract's `selectionOf`; more is "all results". */
export const MAX_SELECTED = 1000

/** A selection in the contract's form, see `selectionOf`. */
export const selectionBody = <Row extends object>(
  selection: Selection<Row>,
  rowKey: keyof Row & string,
): { ids: string[] } | { all: Record<string, string>; expected: number } =>
  'rows' in selection ? { ids: selection.rows.map((row) => String(row[rowKey])) } : selection

/** The number of rows in a selection. */
export const selectionCount = <Row>(selection: Selection<Row>): number =>
  'rows' in selection ? selection.rows.length : selection.expected
