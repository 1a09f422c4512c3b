import { expect, onTestFinished, test } from 'vitest'
import { createSecretBox } from '../../platform/crypto.ts'
import { openDatabase } from '../../platform/db.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { startNode, until } from '../../testing/process.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'

const SECRET_KEY = 'a test key of more than thirty-two characters'
const MESSAGES = 40

test('nodes killed while they send lose no message, and others send it under the same id', {
  timeout: 90_000,
}, async () => {
  const database = await createTestDatabase()
  const sql = openDatabase(database.url, { max: 2 })
  const provider = await startSmsProvider('gateway')
  onTestFinished(async () => {
    provider.close()
    await sql.end({ timeout: 1 })
    await database.drop()
  })
  const secrets = createSecretBox([SECRET_KEY])
  const sealed = secrets.seal(JSON.stringify(provider.gateway))
  await sql`insert into settings (name, value, updated_at) values ('sms', ${JSON.stringify({ sealed })}::text::jsonb, now())`
  const env = { DATABASE_URL: database.url, SECRET_KEY }
  const first = await startNode(env)
  // Slow enough to be killed in the middle.
  provider.answerNext(...Array.from({ length: MESSAGES }, () => ({ delay: 300 })))
  const contents = secrets.seal(
    JSON.stringify({ to: '+8613800000001', params: { code: '482915', minutes: 5 }, at: new Date() }),
  )
  await sql`
    insert into messages (id, channel, template, language, masked_to, target_hash, sealed, next_attempt_at, expires_at, created_at)
    select gen_random_uuid(), 'sms', 'code.login', 'en', '', '', ${contents}, now(), now() + interval '10 minutes', now()
    from generate_series(1, ${MESSAGES}::int)`
  await sql`select pg_notify('gatehouse_messages', '')`
  await until(() => provider.sent.length >= 10, 10_000)
  first.process.kill('SIGKILL')
  await first.ended
  const taken = provider.sent.length
  expect(taken).toBeLessThan(MESSAGES)
  // Instead of the minute after which a lease ends.
  await sql`update messages set next_attempt_at = now() where state = 'pending'`
  await startNode(env)
  const sent = async () => (await sql`select 1 from messages where state = 'sent'`).length
  await until(async () => (await sent()) === MESSAGES, 30_000)
  expect(new Set(provider.sent.map(({ id }) => id)).size).toBe(MESSAGES)
  // Only what was in progress at the kill can have been sent twice.
  expect(provider.sent.length - MESSAGES).toBeLessThanOrEqual(8)
})
