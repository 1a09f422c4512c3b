import { Fragment } from 'react'

/** A long key, path or address: where it needs more than one line, a line ends after a separator instead of within a word. */
export const Breakable = ({ text }: { text: string }) =>
  (text.match(/[^./_]*[./_]+|[^./_]+/g) ?? []).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place.
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ))
