/**
 * Every action that the audit records know. Each has the message `action.<name>` in every language, and a test fails for a
 * name that the code uses and this list lacks. `password` and `account` concern the account of a person, who sees them in
 * their own records, those of a password in two places; `system` concerns none.
 */
export const AUDIT_ACTIONS = {
  'password.change': 'password',
  'password.recover': 'password',
  'account.alias-changed': 'account',
  'account.mailbox-changed': 'account',
  'account.phone-changed': 'account',
  'account.security-questions-changed': 'account',
  'nickname.change': 'account',
  'birthday.change': 'account',
  'gender.change': 'account',
  'avatar.change': 'account',
  'account.activate': 'password',
  'account.wake': 'account',
  'account.lock': 'account',
  'account.freeze': 'account',
  'administrator.create': 'account',
  'administrator.restore': 'password',
  'account.create': 'account',
  'account.update': 'account',
  'consent.give': 'account',
  'delegation.create': 'account',
  'delegation.update': 'account',
  'delegation.withdraw': 'account',
  'consent.withdraw': 'account',
  'login.disown': 'account',
  'passkey.add': 'account',
  'passkey.counter-went-back': 'account',
  'passkey.remove': 'account',
  'passkey.rename': 'account',
  'recovery-code.renew': 'account',
  'recovery-code.use': 'account',
  'second-factor.reset': 'account',
  'totp.add': 'account',
  'totp.remove': 'account',
  'trusted-browser.forget': 'account',
  'records.export': 'account',
  'session.end': 'account',
  'session.kick-out': 'account',
  'setup.complete': 'account',
  'third-party.bind': 'account',
  'third-party.unbind': 'account',
  'bootstrap.apply': 'system',
  'change.roll-back': 'system',
  'client-secret.rotate': 'system',
  'message-gateway.change': 'system',
  'permission.denied': 'system',
  'request.refused': 'system',
  'settings.change': 'system',
  'signing-keys.rotate': 'system',
  'task.cancel': 'system',
} as const satisfies Record<string, 'password' | 'account' | 'system'>

const named = Object.entries(AUDIT_ACTIONS)

export const PASSWORD_ACTIONS: readonly string[] = named.flatMap(([name, kind]) => (kind === 'password' ? [name] : []))

/** What a person may ask for in the maintenance of their account. */
export const ACCOUNT_ACTIONS: readonly string[] = named.flatMap(([name, kind]) => (kind === 'system' ? [] : [name]))

/**
 * Fields whose old and new value (masked by whoever wrote them) are shown to the person; each has the message
 * `audit-field.<name>`. Whatever else an audit line holds stays with the administrators.
 */
export const SHOWN_FIELDS = [
  'account',
  'address',
  'alias',
  'application',
  'avatar',
  'birthday',
  'device',
  'dormantSince',
  'ended',
  'format',
  'gender',
  'isSuperUser',
  'enabled',
  'list',
  'mailbox',
  'name',
  'nickname',
  'phone',
  'provider',
  'rows',
  'scopes',
] as const
