/** A body in whose texts each `{{name}}` has its value; the body is JSON, and stays it whatever a value holds. */
export function fillHttpBody(body: string, values: Readonly<Record<string, string>>): string {
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '')
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) => (typeof value === 'string' ? fill(value) : value))
}
