/** Is it a filter of RFC 4515? */
export async function isFilter(text: string): Promise<boolean> {
  const { FilterParser } = await import('ldapts')
  try {
    return Boolean(FilterParser.parseString(text))
  } catch {
    return false
  }
}
