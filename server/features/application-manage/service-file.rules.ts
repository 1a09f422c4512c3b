import JSON5 from 'json5'

export type ServiceDefinition = Record<string, unknown>
export type FileEntry = { file: string; definition: ServiceDefinition | null }

/** The services of a file: one object, or an array; null stands for an unreadable one. */
export function readServiceFile({ name, text }: { name: string; text: string }): FileEntry[] {
  const parsed = parse(text)
  if (!Array.isArray(parsed)) return [{ file: name, definition: objectOf(parsed) }]
  return parsed.map((one, at) => ({ file: `${name}[${at}]`, definition: objectOf(one) }))
}

const objectOf = (value: unknown): ServiceDefinition | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ServiceDefinition) : null

/** With comments, single quotes and trailing commas, as hand-written files have them. */
function parse(text: string): unknown {
  try {
    return JSON5.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return null
  }
}
