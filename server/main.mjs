import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Percentage of live data by which the heap may grow before garbage collection. By default V8 lets it grow to several times that, while an
// import or a directory sync keeps some 20 MB: of 200,000 imported people it made 460 MB above idle.
setFlagsFromString('--heap-growing-percent=50')

// In JavaScript, so that a start never loads the TypeScript compiler (15 MB). Compiled modules are stored beside the packages: in the
// system's temporary folder another user could plant them.
const cache = fileURLToPath(new URL('../node_modules/.cache/compiled/', import.meta.url))
try {
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  enableCompileCache(cache)
} catch {
  // A read-only installation starts without the cache.
}

// Imported only now, so that the cache serves these modules too: the bundle of vite.server.config.ts, or the sources with
// `--conditions=development` (package.json).
const { runUntilSignal } = await import('#start')
await runUntilSignal(process.env)
