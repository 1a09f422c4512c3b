import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// In JavaScript, so that a start whose modules are all in the cache never loads the TypeScript compiler (15 MB).
// Compiled modules are kept beside the packages: in the system's temporary folder another user could plant them.
const cache = fileURLToPath(new URL('../node_modules/.cache/compiled/', import.meta.url))
try {
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  enableCompileCache(cache)
} catch {
  // A read-only installation starts without it.
}

// Imported only now, so that the cache serves these modules too.
const { runUntilSignal } = await import('./start.ts')
await runUntilSignal(process.env)
