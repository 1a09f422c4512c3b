import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/testing/free-port.ts'
import type { TemplateKey } from '../../shared/rules/application-templates/keys.ts'
import { templateOf } from '../../shared/rules/application-templates/list.ts'
import {
  type ApplicationTemplate,
  fieldsOf,
  instructionsOf,
  parseBase,
} from '../../shared/rules/application-templates/template.ts'
import { CLIENT_SECRET } from './content.ts'
import { until } from './step.ts'

/** Gallery products, each with its login page and its program. */
const PRODUCTS = {
  'moodle-cas': { product: 'moodle', start: '/login/index.php', program: 'php' },
  'wordpress-cas': { product: 'wordpress', start: '/wp-login.php?external=cas', program: 'php' },
  'koha-cas': { product: 'koha', start: '/cgi-bin/koha/opac-user.pl', program: 'perl' },
  'gitlab-oidc': { product: 'gitlab', start: '/users/auth/openid_connect', program: 'ruby' },
  'greenlight-oidc': { product: 'greenlight', start: '/auth/openid_connect', program: 'ruby' },
  'discourse-oidc': { product: 'discourse', start: '/auth/oidc', program: 'ruby' },
  'seafile-oauth': { product: 'seafile', start: '/oauth/login/', program: 'python' },
  'openedx-oidc': { product: 'openedx', start: '/auth/login/oidc/', program: 'python' },
  'superset-oidc': { product: 'superset', start: '/login/gatehouse', program: 'python' },
} as const satisfies Partial<Record<TemplateKey, { product: string; start: string; program: string }>>

export type GalleryKey = keyof typeof PRODUCTS
export const GALLERY_KEYS = Object.keys(PRODUCTS) as GalleryKey[]

/** The required packages; `.ci/interop` names them. */
export const GALLERY_NEEDS = [
  '/usr/bin/puma',
  '/usr/lib/ruby/vendor_ruby/omniauth-oauth2.rb',
  '/usr/share/rubygems-integration/all/gems/gitlab-omniauth-openid-connect-0.10.0/lib/omniauth_openid_connect.rb',
  '/usr/lib/python3/dist-packages/requests_oauthlib',
  '/usr/lib/python3/dist-packages/social_core/backends/open_id_connect.py',
  '/usr/lib/python3/dist-packages/jose',
  '/usr/lib/python3/dist-packages/yaml',
]

/** The address of each product. */
export type GalleryPlaces = Record<GalleryKey, string>

export async function placeGallery(): Promise<GalleryPlaces> {
  const places: [GalleryKey, string][] = []
  for (const key of GALLERY_KEYS) places.push([key, `http://localhost:${await freePort()}`])
  return Object.fromEntries(places) as GalleryPlaces
}

export const startPage = (key: GalleryKey, places: GalleryPlaces): string => places[key] + PRODUCTS[key].start

const known = (key: TemplateKey): ApplicationTemplate => {
  const template = templateOf(key)
  if (!template) throw new Error(`no template ${key}`)
  return template
}

const factsOf = (key: TemplateKey, base: string, publicUrl: string) => ({
  base,
  publicUrl,
  clientId: key,
  secret: CLIENT_SECRET,
})

/** An application as the gallery registers it, for the bootstrap file. */
export function galleryApplication(key: TemplateKey, place: string, publicUrl: string): object {
  const template = known(key)
  const parsed = parseBase(template.protocol, place)
  if (!('base' in parsed)) throw new Error(`${key}: ${parsed.problem}`)
  return {
    appId: key,
    name: template.product,
    protocol: template.protocol,
    type: 'whitelist',
    url: `${place}/`,
    ...fieldsOf(template, factsOf(key, parsed.base, publicUrl)),
    ...(template.protocol === 'oauth2' && { clientId: key, clientSecret: CLIENT_SECRET }),
  }
}

/** The gallery's instructions for the product. */
export const galleryInstructions = (key: TemplateKey, place: string, publicUrl: string) =>
  instructionsOf(known(key), factsOf(key, place, publicUrl))

const at = (file: string) => fileURLToPath(new URL(`gallery/${file}`, import.meta.url))

/** Starts them all, configured as the gallery says, with their output in `gallery.log`; stop each with SIGTERM. */
export function startGallery(places: GalleryPlaces, sso: string, ca: string, folder: string): ChildProcess[] {
  const output = openSync(join(folder, 'gallery.log'), 'a')
  return GALLERY_KEYS.map((key) => {
    const place = places[key]
    const { settings, snippet } = galleryInstructions(key, place, sso)
    const { port } = new URL(place)
    const programs = {
      php: ['/usr/bin/php', '-S', `localhost:${port}`, at('cas_site.php')],
      perl: ['/usr/bin/plackup', '-E', 'deployment', '-o', '127.0.0.1', '-p', port, at('koha.psgi')],
      ruby: ['/usr/bin/puma', '-b', `tcp://127.0.0.1:${port}`, '-t', '1:2', '-e', 'production', at('omniauth.ru')],
      python: ['/usr/bin/python3', at('python_site.py')],
    }
    const [program = '', ...args] = programs[PRODUCTS[key].program]
    return spawn(program, args, {
      stdio: ['ignore', output, output],
      cwd: folder,
      env: {
        ...process.env,
        PRODUCT: PRODUCTS[key].product,
        BASE: place,
        SETTINGS: JSON.stringify(Object.fromEntries(settings)),
        SNIPPET: snippet?.text ?? '',
        CA: ca,
        SSL_CERT_FILE: ca,
        PERL_LWP_SSL_CA_FILE: ca,
        REQUESTS_CA_BUNDLE: ca,
      },
    })
  })
}

export async function galleryAnswers(places: GalleryPlaces): Promise<void> {
  for (const key of GALLERY_KEYS)
    await until(key, () => fetch(`${places[key]}/none`, { redirect: 'manual' }).then(() => true))
}
