# GitLab, Greenlight and Discourse: their OmniAuth strategies, configured with the pasted settings.
require 'json'
require 'rack/session/cookie'
require 'omniauth_openid_connect'
require 'omniauth-oauth2'

OmniAuth.config.allowed_request_methods = [:get]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.full_host = ENV.fetch('BASE')
OmniAuth.config.on_failure = ->(env) { [500, {}, ["#{env['omniauth.error.type']}: #{env['omniauth.error'].inspect}"]] }

# Like Discourse's plugin: OAuth 2.0 with the addresses of the discovery document, the person from userinfo.
class DiscourseStrategy < OmniAuth::Strategies::OAuth2
  option :name, 'oidc'
  option :discovery_document, nil

  def setup_phase
    document = Faraday.get(options.discovery_document).body
    found = JSON.parse(document)
    options.client_options.merge!(
      site: found['issuer'], authorize_url: found['authorization_endpoint'], token_url: found['token_endpoint'],
      userinfo: found['userinfo_endpoint'], auth_scheme: :basic_auth
    )
    super
  end

  def callback_url = full_host + script_name + callback_path

  def person = @person ||= access_token.get(options.client_options[:userinfo]).parsed

  uid { person['sub'] }
  info { { name: person['name'], email: person['email'], nickname: person['preferred_username'] } }
end

snippet = ENV.fetch('SNIPPET')
set = JSON.parse(ENV.fetch('SETTINGS'))
use Rack::Session::Cookie, secret: 'a secret of this run that is long enough for everybody, even for those who want sixty-four'
case ENV.fetch('PRODUCT')
when 'gitlab'
  gitlab_rails = {}
  eval(snippet)
  given = gitlab_rails['omniauth_providers'].first
  use(OmniAuth::Builder) do
    configure { |config| config.path_prefix = '/users/auth' }
    provider given[:name].to_sym, given[:args]
  end
when 'greenlight'
  given = snippet.lines.to_h { |line| line.chomp.split('=', 2) }
  use(OmniAuth::Builder) do
    provider :openid_connect,
             issuer: given['OPENID_CONNECT_ISSUER'], discovery: true, scope: %i[openid email profile], response_type: :code,
             uid_field: given['OPENID_CONNECT_UID_FIELD'],
             client_options: {
               identifier: given['OPENID_CONNECT_CLIENT_ID'], secret: given['OPENID_CONNECT_CLIENT_SECRET'],
               redirect_uri: File.join(given['OPENID_CONNECT_REDIRECT'], 'auth', 'openid_connect', 'callback')
             }
  end
else
  use(OmniAuth::Builder) do
    provider DiscourseStrategy,
             set['openid connect client id'], set['openid connect client secret'],
             scope: set['openid connect authorize scope'], discovery_document: set['openid connect discovery document']
  end
end

run(lambda do |env|
  found = env['omniauth.auth']
  return [404, {}, ["no page #{env['PATH_INFO']}"]] unless found

  person = { user: found.info.nickname, name: found.info.name, email: found.info.email }
  [200, { 'content-type' => 'application/json' }, [person.to_json]]
end)
