import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * The server in a few files, for `npm start`: as a thousand modules it takes 30 MB more and starts half a second later. The code stays
 * readable, for stack traces. Packages stay outside.
 */
export default defineConfig({
  publicDir: false,
  // Without the texts of fifty languages that the package loads: 2 MB.
  ssr: { target: 'node', noExternal: ['zod'] },
  build: {
    ssr: path('server/start.ts'),
    outDir: path('dist/server'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      output: {
        chunkFileNames: '[name].js',
        charset: 'ascii',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
})
