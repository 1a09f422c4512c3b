import { useState } from 'react'

type Props = { picture: string | null; name: string }

/**
 * A person's picture, or the first character of the name. `key` it by the picture, because a broken one is not retried.
 */
export function Avatar({ picture, name }: Props) {
  const [broken, setBroken] = useState(false)
  if (picture && !broken) return <img src={picture} alt="" onError={() => setBroken(true)} />
  return <span aria-hidden="true">{Array.from(name)[0]?.toUpperCase()}</span>
}
