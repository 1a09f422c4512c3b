/** Started by tests as a separate process: an embedded database whose keeper can be killed. Prints its URL and process id. */
import { startEmbeddedDatabase } from '../platform/embedded-database.ts'

const database = await startEmbeddedDatabase({ dataDir: process.argv[2] ?? '' })
process.stdout.write(`${JSON.stringify({ url: database.url, pid: database.pid() })}\n`)
setInterval(() => {}, 60_000)
