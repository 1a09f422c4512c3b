/** First, last, and two around the current one; a negative number is a gap. */
export function visiblePages(current: number, pages: number): number[] {
  const wanted = [1, current - 2, current - 1, current, current + 1, current + 2, pages]
  const shown = [...new Set(wanted.filter((page) => page >= 1 && page <= pages))].sort((a, b) => a - b)
  return shown.flatMap((page, at) => {
    const before = shown[at - 1]
    return before !== undefined && page - before > 1 ? [-page, page] : [page]
  })
}
