import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { OAuth2Settings } from '#shared/contract/oauth2-settings.ts'
import {
  authorizeRequest,
  codeParameters,
  definedParameters,
  type OAuth2Request,
  tokenRequest,
  userRequest,
} from '#shared/rules/oauth2-requests.ts'
import { type OAuth2Draft, toOAuth2Settings } from './oauth2-fields.ts'

const SECRET = '******'
/** The host of addresses that the discovery document will name. */
const DISCOVERED = 'discovered.invalid'

type Preview = { step: 'authorize' | 'token' | 'user'; request: OAuth2Request }

/** The requests that the connector sends, with placeholders for values that only a login has. */
function previewsOf(draft: OAuth2Draft, redirectUri: string): Preview[] | null {
  const parsed = OAuth2Settings.safeParse(toOAuth2Settings(draft))
  if (!parsed.success) return null
  const settings = { ...parsed.data, clientSecret: parsed.data.clientSecret && SECRET }
  const { discoveryUrl, idToken, names, token } = settings
  const found = (name: string) => `https://${DISCOVERED}/${name}`
  const authorizeUrl = settings.authorizeUrl ?? found('authorization_endpoint')
  const tokenUrl = settings.tokenUrl ?? found('token_endpoint')
  const userUrl = settings.userUrl ?? (discoveryUrl === undefined ? null : found('userinfo_endpoint'))
  const isOpenId = idToken !== null || discoveryUrl !== undefined
  const attempt = { redirectUri, state: '<state>', nonce: '<nonce>', challenge: '<challenge>', isOpenId }
  const isApp = token.of === 'app'
  const parameters = isApp ? {} : codeParameters(settings, { code: '<code>', redirectUri, codeVerifier: '<verifier>' })
  const values = {
    clientId: settings.clientId,
    clientSecret: SECRET,
    timestamp: '<timestamp>',
    signature: '<signature>',
  }
  const extra = isApp ? definedParameters([[names.code, '<code>']]) : {}
  return [
    { step: 'authorize', request: authorizeRequest(settings, authorizeUrl, attempt) },
    { step: 'token', request: tokenRequest(settings, { tokenUrl, parameters, values }) },
    ...(userUrl === null
      ? []
      : [{ step: 'user' as const, request: userRequest(settings, { userUrl, token: '<token>', extra }) }]),
  ]
}

const listed = (fields: URLSearchParams) => [...fields].map(([name, value]) => `${name}=${value}`)

const bodyText = (body: string, type = ''): string =>
  type.includes('json') ? JSON.stringify(JSON.parse(body), null, 2) : listed(new URLSearchParams(body)).join('\n&')

/** Readable rather than encoded: one parameter per line. */
function requestText({ method, url, headers, body }: OAuth2Request): string {
  const { origin, host, pathname, searchParams } = new URL(url)
  const address = host === DISCOVERED ? `<${pathname.slice(1)}>` : origin + pathname
  const query = listed(searchParams).map((pair, index) => `  ${index === 0 ? '?' : '&'}${pair}`)
  const sent = Object.entries(headers).map(
    ([name, value]) =>
      // Shown decoded, because nobody reads base64.
      `${name}: ${value.startsWith('Basic ') ? `Basic base64(${atob(value.slice(6))})` : value}`,
  )
  const content = body === undefined ? [] : ['', bodyText(body, headers['content-type'])]
  return [`${method} ${address}`, ...query, ...sent, ...content].join('\n')
}

/** The requests that will be sent, updated while typing. */
export function RequestPreview({ draft, callbackUrl }: { draft: OAuth2Draft; callbackUrl: string }) {
  const { t } = useTranslation()
  const previews = previewsOf(useDeferredValue(draft), callbackUrl)
  return (
    <section className="vendor-fields" aria-label={t('oauth2.preview')}>
      <h2>{t('oauth2.preview')}</h2>
      <p className="muted">{t('oauth2.preview.text')}</p>
      {previews === null ? (
        <p>{t('oauth2.preview.incomplete')}</p>
      ) : (
        previews.map(({ step, request }) => (
          <figure key={step} className="vendor-request">
            <figcaption>{t(`oauth2.preview.${step}`)}</figcaption>
            <pre>{requestText(request)}</pre>
          </figure>
        ))
      )}
    </section>
  )
}
