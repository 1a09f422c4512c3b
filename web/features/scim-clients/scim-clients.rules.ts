import type { ScimClient } from '#shared/contract/scim-clients.ts'

/** Does it have to wait until somebody lets it disable people again? */
export const isHeld = ({ disabledLastDay, maxDisabledPerDay }: ScimClient): boolean =>
  disabledLastDay > 0 && disabledLastDay >= maxDisabledPerDay
