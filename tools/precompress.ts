import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Smaller files gain nothing from compression. */
const SMALLEST_BYTES = 1000

/**
 * Writes a `.br` and a `.gz` next to every text file of a build, so that the server never compresses anything itself.
 */
export function precompress(folder: string): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const name of files.filter((file) => /\.(js|css|svg|json)$/.test(file))) {
        const bytes = readFileSync(join(folder, name))
        if (bytes.length < SMALLEST_BYTES) continue
        writeFileSync(
          join(folder, `${name}.br`),
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        )
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
