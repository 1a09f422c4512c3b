export {
  deleteAccessToken,
  deleteExpiredTokens,
  deleteOldAnswers,
  deleteOldRevocations,
  deleteTokensOf,
  findAnswer,
  insertAccessToken,
  insertTokens,
  type NewToken,
  revokeGrant,
  rotateTokens,
  type TokenValue,
} from './tokens.store.ts'
