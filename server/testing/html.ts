const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" }

const plain = (text: string) => text.replace(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity)

/** The attributes of every `<name …>` in a page, by lower-case name, parsed like a browser. */
export function tagsOf(html: string, name: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${name}\\b((?:\\s+[^\\s=>]+(?:="[^"]*")?)*)\\s*/?>`, 'g'))].map(
    ([, list = '']) =>
      Object.fromEntries(
        [...list.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [
          key.toLowerCase(),
          plain(value),
        ]),
      ),
  )
}

/** The visible text between `from` and `to`, one per line. */
export function textBetween(html: string, from: string, to: string): string {
  const part = html.slice(html.indexOf(from), html.indexOf(to))
  return plain(part.replace(/<!--.*?-->/g, '').replace(/<[^>]*>/g, '\n')).replace(/\n+/g, '\n')
}
