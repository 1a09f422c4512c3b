import type { ScimClient } from '#shared/contract/scim-clients.ts'

/** Has it reached its limit, so that it can't disable anybody until it is released? */
export const isHeld = ({ disabledLastDay, maxDisabledPerDay }: ScimClient): boolean =>
  disabledLastDay > 0 && disabledLastDay >= maxDisabledPerDay
