/** What a verb over a list acts on: ticked rows, or everything that the list's filters find. */
export type Selection<Row> = { rows: Row[] } | { all: Record<string, string>; expected: number }

/** Rows that may be ticked one by one, as the contract's `selectionOf` says; more is "all results". */
export const MAX_SELECTED = 1000

/** The same in the contract's words, see `selectionOf`. */
export const selectionBody = <Row extends object>(
  selection: Selection<Row>,
  rowKey: keyof Row & string,
): { ids: string[] } | { all: Record<string, string>; expected: number } =>
  'rows' in selection ? { ids: selection.rows.map((row) => String(row[rowKey])) } : selection

/** How many rows a selection names. */
export const selectionCount = <Row>(selection: Selection<Row>): number =>
  'rows' in selection ? selection.rows.length : selection.expected
