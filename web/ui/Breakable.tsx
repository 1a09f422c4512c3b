import { Fragment } from 'react'

/** A long key, path or address: where it needs more than one line, a line ends after a separator instead of within a word. */
export const Breakable = ({ text }: { text: string }) =>
  (text.match(/[^./:_]*[./:_]+|[^./:_]+/g) ?? []).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place.
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ))

/** A word that is wider than a table column on a phone. */
const WIDE_WORD = 28

/** Words of which only wide ones, such as an IPv6 network, are broken. */
export const BreakableWords = ({ text }: { text: string }) =>
  text
    .split(/([\s、，；]+)/)
    // biome-ignore lint/suspicious/noArrayIndexKey: words have no name but their place.
    .map((word, at) => <Fragment key={at}>{word.length > WIDE_WORD ? <Breakable text={word} /> : word}</Fragment>)
