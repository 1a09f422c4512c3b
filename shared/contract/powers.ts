import { z } from 'zod'

/**
 * What an administrator of some organisations may do there; who is one may always look. Each has the message `power.<name>`.
 * `edit` create and change people and sub-organisations · `unlock` lift locks and freezes · `reset` start people over ·
 * `import` and export lists · `authorise` grant applications.
 */
export const POWERS = ['edit', 'unlock', 'reset', 'import', 'authorise'] as const
export const Power = z.enum(POWERS)
export type Power = z.infer<typeof Power>
