import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { browserContract } from './tools/browser-contract.ts'
import { browserZod } from './tools/browser-zod.ts'
import { firstPaintPlugin } from './tools/first-paint.ts'
import { messageAreasPlugin } from './tools/message-areas.ts'
import { pageChunks, pageFilesPlugin } from './tools/page-chunks.ts'
import { precompress } from './tools/precompress.ts'
import { tokens } from './tools/token-styles.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string }

/** The portal of /auth_web. `dist/portal/index.html` is a template: the server fills in nonce, language and theme. */
export default defineConfig({
  root: path('web'),
  base: '/auth_web/',
  publicDir: false,
  plugins: [
    react(),
    browserZod(),
    browserContract(),
    // Of the 34 languages of react-aria's own words.
    { ...optimizeLocales.vite({ locales: ['en-US', 'zh-CN', 'zh-TW'] }), enforce: 'pre' },
    tokens(),
    messageAreasPlugin(),
    pageFilesPlugin(),
    firstPaintPlugin(),
    precompress(path('dist/portal')),
  ],
  define: { __GATEHOUSE_VERSION__: JSON.stringify(version) },
  build: {
    outDir: path('dist/portal'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // A data: script or style would be refused by the content policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: pageChunks(),
        },
      },
    },
    // The charts of the overview, loaded there only.
    chunkSizeWarningLimit: 700,
  },
})
