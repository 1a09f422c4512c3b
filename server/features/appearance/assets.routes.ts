import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import serveStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { projectFile } from '../../platform/project-files.ts'

const DIST = projectFile('dist/')

type Folder = { path: string; prefix: string }

/** Built files whose names contain a hash of their content: a browser caches them forever. */
const HASHED: Folder[] = [
  { path: 'login/login-assets/', prefix: '/auth_web/login-assets/' },
  { path: 'portal/assets/', prefix: '/auth_web/assets/' },
]

/** Pictures with fixed names: the icons that ship for applications. */
const ICONS = projectFile('web/public/icons/')

/** Serves the built scripts, styles and pictures, precompressed at build time if a `.br` or `.gz` is beside a file. */
export async function mountAssets(app: FastifyInstance): Promise<void> {
  for (const { path, prefix } of HASHED) {
    const root = fileURLToPath(new URL(path, DIST))
    if (!existsSync(root)) continue
    await app.register(serveStatic, {
      root,
      prefix,
      preCompressed: true,
      index: false,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply) => {
        reply.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  }
  await app.register(serveStatic, {
    root: fileURLToPath(ICONS),
    prefix: '/auth_web/icons/',
    index: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.header('cache-control', 'public, max-age=86400')
    },
  })
}
