/** The templates; each has the message `application-template.<key>`. */
export const TEMPLATE_KEYS = [
  'moodle-cas',
  'moodle-oidc',
  'nextcloud-oidc',
  'gitlab-oidc',
  'grafana-oidc',
  'jenkins-cas',
  'jenkins-oidc',
  'zabbix-oidc',
  'wordpress-cas',
  'wordpress-oidc',
  'discourse-oidc',
  'seafile-oauth',
  'coremail-cas',
  'openedx-oidc',
  'koha-cas',
  'dspace-oidc',
  'jupyterhub-oidc',
  'greenlight-oidc',
  'superset-oidc',
] as const
export type TemplateKey = (typeof TEMPLATE_KEYS)[number]
