/** Started by tests as a separate process: migrates the given database, and can be killed meanwhile. */
import { openDatabase } from '../platform/db.ts'
import { migrate } from '../platform/migrate.ts'

const sql = openDatabase(process.argv[2] ?? '', { max: 1 })
const applied = await migrate(sql, new Date())
await sql.end()
process.stdout.write(`${applied.length}\n`)
