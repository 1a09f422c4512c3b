import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { tokenStyles } from './shared/rules/design-tokens.ts'
import { precompress } from './tools/precompress.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** `virtual:tokens.css`: the design tokens as custom properties. */
function tokens(): Plugin {
  const id = 'virtual:tokens.css'
  return {
    name: 'tokens',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load: (source) => (source === `\0${id}` ? tokenStyles() : null),
  }
}

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
    ...(!isSsrBuild && { rolldownOptions: { input: path('web/login/main.tsx') } }),
  },
}))
