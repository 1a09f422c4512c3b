/** Replaces each `{{name}}` in the strings of a JSON body by its value; the body stays valid JSON whatever a value contains. */
export function fillHttpBody(body: string, values: Readonly<Record<string, string>>): string {
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '')
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) => (typeof value === 'string' ? fill(value) : value))
}
