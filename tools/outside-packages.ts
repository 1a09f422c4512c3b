/**
 * Packages that the server loads on first use, so that a start doesn't pay for them. An import that is evaluated at the start costs time
 * and, for good, megabytes that most installations never need.
 */
export const LOADED_ON_USE = [
  '@simplewebauthn/server',
  'hucre',
  'ldapts',
  'mysql2',
  'nodemailer',
  'oidc-provider',
  'oracledb',
  'pg-boss',
  'pinyin-pro',
  'sharp',
  'ssh2',
  'tedious',
  'undici',
  'yaml',
]

/**
 * Packages that stay outside the bundle of the server: those above, iovalkey (imported only by state.redis.ts, which is loaded on use), native
 * code, and pino, which looks for files beside itself.
 */
export const OUTSIDE_THE_BUNDLE = [...LOADED_ON_USE, 'iovalkey', '@node-rs/argon2', '@node-rs/bcrypt', 'pino']
