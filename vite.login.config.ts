import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './tools/precompress.ts'
import { tokens } from './tools/token-styles.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * The light entry: `vite build -c vite.login.config.ts` makes what browsers load, with `--ssr login/render.tsx` what the
 * server renders with. React is bundled into the latter, in its production form whatever NODE_ENV says.
 */
export default defineConfig(({ isSsrBuild }) => ({
  root: path('web'),
  base: '/auth_web/',
  publicDir: false,
  plugins: [react(), tokens(), ...(isSsrBuild ? [] : [precompress(path('dist/login'))])],
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  ...(isSsrBuild && { ssr: { noExternal: true, target: 'node' } }),
  build: {
    outDir: path(isSsrBuild ? 'dist/login-server' : 'dist/login'),
    emptyOutDir: true,
    manifest: !isSsrBuild,
    target: 'es2022',
    assetsDir: 'login-assets',
    assetsInlineLimit: 0,
    modulePreload: false,
    ...(!isSsrBuild && { rolldownOptions: { input: [path('web/login/main.tsx'), path('web/preview/main.ts')] } }),
  },
}))
