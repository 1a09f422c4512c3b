import type { ReleasedAttribute } from '../../contract/attributes.ts'
import type { ApplicationTemplate } from './template.ts'

/** The LDAP names, which CAS clients look for. */
const DIRECTORY: ReleasedAttribute[] = [
  { name: 'cn', from: 'name' },
  { name: 'mail', from: 'mailbox' },
]

/** Products that log in by CAS. */
export const CAS_TEMPLATES: readonly ApplicationTemplate[] = [
  {
    key: 'moodle-cas',
    product: 'Moodle',
    protocol: 'cas',
    baseSetting: '$CFG->wwwroot',
    example: 'https://moodle.school.edu',
    filled: { serviceUrls: ['{base}/login/**', '{base}'], singleLogout: 'none', attributes: [] },
    settings: [
      ['Hostname', '{server}'],
      ['Base URI', '/fwk_cas_service/'],
      ['Port', '{port}'],
      ['CAS protocol version', 'CAS 2.0'],
      ['Multi-authentication', 'Yes'],
      ['CAS logout option', 'Yes'],
      ['Server validation', 'Yes'],
    ],
    docs: 'https://docs.moodle.org/en/CAS_server_(SSO)',
    proof: 'phpCAS 1.6',
  },
  {
    key: 'jenkins-cas',
    product: 'Jenkins',
    protocol: 'cas',
    baseSetting: 'Jenkins URL',
    example: 'https://jenkins.school.edu',
    filled: { serviceUrls: ['{base}/securityRealm/**', '{base}/'], attributes: DIRECTORY },
    settings: [
      ['CAS Server URL', '{cas}'],
      ['CAS Protocol', 'CAS 3.0'],
      ['Full Name Attribute', 'cn'],
      ['Email Attribute', 'mail'],
      ['Enable Single Logout', 'Yes'],
    ],
    docs: 'https://plugins.jenkins.io/cas-plugin/',
    proof: null,
  },
  {
    key: 'wordpress-cas',
    product: 'WordPress',
    protocol: 'cas',
    baseSetting: 'Site Address (URL)',
    example: 'https://www.school.edu',
    filled: { serviceUrls: ['{base}/**'], attributes: DIRECTORY },
    settings: [
      ['CAS server hostname', '{server}'],
      ['CAS server port', '{port}'],
      ['CAS server path/context', '/fwk_cas_service'],
      ['CAS server version', 'CAS_VERSION_3_0'],
      ['CAS attribute containing email address', 'mail'],
      ['CAS attribute containing first name', 'cn'],
    ],
    docs: 'https://wordpress.org/plugins/authorizer/',
    proof: 'phpCAS 1.6',
  },
  {
    key: 'coremail-cas',
    product: 'Coremail',
    protocol: 'cas',
    baseSetting: 'Webmail',
    example: 'https://mail.school.edu',
    filled: { serviceUrls: ['{base}/**'], attributes: [{ name: 'mail', from: 'mailbox' }] },
    settings: [
      ['CAS server', '{cas}'],
      ['Login', '{cas}/login'],
      ['serviceValidate', '{cas}/p3/serviceValidate'],
      ['Logout', '{cas}/logout'],
    ],
    docs: 'https://www.coremail.cn/',
    proof: null,
  },
  {
    key: 'koha-cas',
    product: 'Koha',
    protocol: 'cas',
    baseSetting: 'OPACBaseURL',
    example: 'https://library.school.edu',
    filled: { serviceUrls: ['{base}/**'], attributes: [] },
    settings: [
      ['casAuthentication', 'Use'],
      ['casServerUrl', '{cas}'],
      ['casServerVersion', 'CAS 2'],
      ['casLogout', 'Logout of CAS when logging out of Koha'],
    ],
    docs: 'https://koha-community.org/manual/latest/en/html/administration.html',
    proof: 'Authen::CAS::Client 0.08',
  },
]
