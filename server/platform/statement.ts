import type { PendingQuery, Row } from 'postgres'
import type { Db, SqlFragment } from './db.ts'

type Parameter = string | number | boolean | Date | Buffer | readonly string[] | null
type Parameters = Readonly<Record<string, Parameter>>

/** `:name` in a text, but not a cast (`::text`). */
const PARAMETER = /(?<!:):([a-z]\w*)/gi

/**
 * A statement whose text is built once: a driver fragment is rebuilt at each request, which on the hot paths costs as much as sending it. A
 * parameter is written `:name`, is sent once however often it occurs, and never becomes part of the text.
 */
export function createStatement<T extends object>(
  text: string,
): (db: Db, parameters: Parameters) => PendingQuery<(T & Row)[]> {
  const names: string[] = []
  const numbered = text.replace(PARAMETER, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return (db, parameters) => {
    const values = names.map((name) => parameters[name]) as never[]
    return db.unsafe<(T & Row)[]>(numbered, values, { prepare: true })
  }
}

const partsOf = new Map<string, { parts: TemplateStringsArray; names: string[] }>()

/** The same text as a part of a larger query. @param text a constant: its parts are cached */
export function toFragment(db: Db, text: string, parameters: Parameters): SqlFragment {
  let known = partsOf.get(text)
  if (!known) {
    const names = [...text.matchAll(PARAMETER)].map(([, name = '']) => name)
    const parts = text.split(/(?<!:):[a-z]\w*/i)
    known = { parts: Object.assign(parts, { raw: parts }), names }
    partsOf.set(text, known)
  }
  return db(known.parts, ...(known.names.map((name) => parameters[name]) as never[]))
}
