const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that is HTML already; created only by `html`. */
export type Html = { readonly html: string }

type Value = string | Html | readonly Html[]

const textOf = (value: Value): string => {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
  return 'html' in value ? value.html : value.map((part) => part.html).join('')
}

/** A template whose values are escaped, for content and quoted attributes; results of `html` are inserted unchanged. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  html: parts.reduce((text, part, at) => text + textOf(values[at - 1] ?? '') + part),
})
