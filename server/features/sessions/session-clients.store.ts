/**
 * Records that a session entered an application by OpenID Connect, as part of a larger statement (SQL); its parameters are `:ssoSessionId`,
 * `:applicationId`, `:sid` (what its tokens call the session), `:subject` and `:at`.
 */
export const INSERT_CLIENT = `
  insert into session_clients (sso_session_id, application_id, sid, subject, first_at)
  values (:ssoSessionId::uuid, :applicationId::uuid, :sid, :subject, :at::timestamptz)
  on conflict do nothing`
