import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { parseOwnAddress } from '#shared/rules/redirect-target.ts'
import { PORTAL_PATH, ssoLoginUrl } from '../platform/login-url.ts'

type Search = { service?: string | undefined; next?: string | undefined }

/** Where an intermediate page leads on to: an application, a page of ours, or null for the home page. */
export function continueAddress({ service, next }: Search): string | null {
  if (service) return ssoLoginUrl(service)
  return next ? parseOwnAddress(PORTAL_PATH + next.replace(/^\//, ''), location.origin + PORTAL_PATH) : null
}

/**
 * Continues from an intermediate page (first password, second factor): to the application `service`, which the server
 * validates, to our page `next`, or to the home page.
 */
export function useContinue(): () => void {
  const navigate = useNavigate()
  const { service, next } = useSearch({ strict: false }) as Search
  return useCallback(() => {
    const address = continueAddress({ service, next })
    if (address) location.assign(address)
    else void navigate({ to: '/my-apps', replace: true })
  }, [navigate, service, next])
}
