"""Seafile, Open edX and Superset: the libraries that they log in with, configured by what their administrators paste."""
import json
import os
import sys
import types

import yaml
from flask import Flask, jsonify, redirect, request, session

product, base, snippet = os.environ["PRODUCT"], os.environ["BASE"], os.environ["SNIPPET"]
settings = json.loads(os.environ["SETTINGS"])
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
app = Flask(__name__)
app.secret_key = "a secret of this run"


def seafile():
    """seahub/oauth/views.py"""
    from requests_oauthlib import OAuth2Session

    given = {}
    exec(snippet, given)

    @app.route("/oauth/login/")
    def login():
        client = OAuth2Session(
            client_id=given["OAUTH_CLIENT_ID"], scope=given["OAUTH_SCOPE"], redirect_uri=given["OAUTH_REDIRECT_URL"]
        )
        address, session["oauth_state"] = client.authorization_url(given["OAUTH_AUTHORIZATION_URL"])
        return redirect(address)

    @app.route("/oauth/callback/")
    def callback():
        client = OAuth2Session(
            client_id=given["OAUTH_CLIENT_ID"],
            scope=given["OAUTH_SCOPE"],
            state=session["oauth_state"],
            redirect_uri=given["OAUTH_REDIRECT_URL"],
        )
        client.fetch_token(
            given["OAUTH_TOKEN_URL"],
            client_secret=given["OAUTH_CLIENT_SECRET"],
            authorization_response=request.full_path,
        )
        person = client.get(given["OAUTH_USER_INFO_URL"]).json()
        found = {ours: person.get(theirs) for theirs, (_, ours) in given["OAUTH_ATTRIBUTE_MAP"].items()}
        return jsonify(user=found["uid"], name=found["name"], email=found["contact_email"])


def openedx():
    """The backend of python-social-auth that lms.yml names, with the provider of the Django administration."""
    from social_core.storage import BaseStorage
    from social_core.strategy import BaseStrategy
    from social_core.utils import module_member

    given = yaml.safe_load(snippet)
    provider = {
        "SOCIAL_AUTH_OIDC_KEY": settings["Client ID"],
        "SOCIAL_AUTH_OIDC_SECRET": given["SOCIAL_AUTH_OAUTH_SECRETS"]["oidc"],
    }

    class Strategy(BaseStrategy):
        def get_setting(self, name):
            return {**given, **provider}[name]

        def request_data(self, merge=True):
            return request.args.to_dict()

        def request_host(self):
            return request.host

        def build_absolute_uri(self, path=None):
            return base + (path or "")

        def session_get(self, name, default=None):
            return session.get(name, default)

        def session_set(self, name, value):
            session[name] = value

        def session_pop(self, name):
            return session.pop(name, None)

        def redirect(self, url):
            return redirect(url)

        def authenticate(self, backend, *args, response=None, **kwargs):
            return backend.get_user_details(response)

    class Storage(BaseStorage):
        class association:
            """Nonces of this run."""

            kept = []

            @classmethod
            def store(cls, _server, association):
                association.id = association.handle
                cls.kept.append(association)

            @classmethod
            def get(cls, server_url=None, handle=None):
                return [one for one in cls.kept if one.handle == handle]

            @classmethod
            def remove(cls, _ids):
                pass

    def backend():
        name = settings["Backend name"]
        found = module_member(given["THIRD_PARTY_AUTH_BACKENDS"][0])
        return found(Strategy(Storage), redirect_uri=f"/auth/complete/{name}/")

    @app.route("/auth/login/oidc/")
    def login():
        return backend().start()

    @app.route("/auth/complete/oidc/")
    def complete():
        person = backend().complete()
        return jsonify(user=person["username"], name=person["fullname"], email=person["email"])


def superset():
    """Flask-AppBuilder's AuthOAuthView with the providers and the security manager of superset_config.py"""
    from authlib.integrations.flask_client import OAuth

    for name, members in (
        ("flask_appbuilder.security.manager", {"AUTH_OAUTH": 4}),
        ("superset.security", {"SupersetSecurityManager": object}),
    ):
        module = types.ModuleType(name)
        module.__dict__.update(members)
        sys.modules[name] = module
    given = {}
    exec(snippet, given)
    provider = given["OAUTH_PROVIDERS"][0]
    oauth = OAuth(app)
    remote = oauth.register(provider["name"], **provider["remote_app"])
    manager = given["CUSTOM_SECURITY_MANAGER"]()
    manager.appbuilder = types.SimpleNamespace(sm=types.SimpleNamespace(oauth_remotes={provider["name"]: remote}))

    @app.route("/login/gatehouse")
    def login():
        return remote.authorize_redirect(redirect_uri=f"{base}/oauth-authorized/{provider['name']}")

    @app.route(f"/oauth-authorized/{provider['name']}")
    def authorized():
        session["token"] = remote.authorize_access_token()["access_token"]
        remote._fetch_token = lambda *_: {"access_token": session["token"], "token_type": "bearer"}
        oauth.fetch_token = lambda _: {"access_token": session["token"], "token_type": "bearer"}
        person = manager.oauth_user_info(provider["name"])
        return jsonify(user=person["username"], name=person["first_name"], email=person["email"])


{"seafile": seafile, "openedx": openedx, "superset": superset}[product]()
app.run(host="127.0.0.1", port=int(base.rsplit(":")[-1]))
