/**
 * The floor: a bare Fastify and postgres.js that execute the same SQL as a hop and a validation and nothing else, on an
 * embedded database; and the password hash alone. Started by `npm run bench -- --floor`.
 */
import { hash, verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import { startFloorDatabase } from './floor-database.ts'

const { sql, stop } = await startFloorDatabase()
await sql`create table sessions (secret bytea primary key, user_id int not null, seen timestamptz not null)`
await sql`create table people (id int primary key, account text not null, name text not null)`
await sql`create table visits (id bigint generated always as identity primary key, user_id int, at timestamptz)`
await sql`
  create table services (
    id bigint generated always as identity primary key, ticket bytea unique, user_id int, url text, expires_at timestamptz,
    used_at timestamptz)`
await sql`insert into people select i, 'bench' || i, 'Person ' || i from generate_series(1, 400) i`
await sql`insert into sessions select sha256(i::text::bytea), i, now() from generate_series(1, 400) i`

const { createHash, randomBytes } = await import('node:crypto')
const sha256 = (text: string) => createHash('sha256').update(text).digest()
const stored = await hash('Bench-Passw0rd', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

const app = Fastify()
app.get('/hop', async (request, reply) => {
  const { session } = request.query as { session: string }
  const [row] =
    await sql`select s.user_id, p.account from sessions s join people p on p.id = s.user_id where secret = ${sha256(session)}`
  const ticket = `ST-${randomBytes(20).toString('hex')}`
  const user = row?.['userId'] ?? 0
  await sql`
    with visit as (insert into visits (user_id, at) values (${user}, ${new Date()}))
    insert into services (ticket, user_id, url, expires_at)
    values (${sha256(ticket)}, ${user}, 'http://127.0.0.1:9/app/', ${new Date(Date.now() + 10_000)})`
  return reply.redirect(`http://127.0.0.1:9/app/?ticket=${ticket}`)
})
app.get('/validate', async (request) => {
  const { ticket } = request.query as { ticket: string }
  const [person] = await sql`
    with used as (
      update services set used_at = ${new Date()} where ticket = ${sha256(ticket)} and used_at is null returning user_id
    )
    select account, name from people where id = (select user_id from used)`
  return `<user>${person?.['account']}</user>`
})
app.get('/hash', async () => ({ right: await verify(stored, 'Bench-Passw0rd') }))
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })

process.once('SIGTERM', async () => {
  await app.close()
  await stop()
})
