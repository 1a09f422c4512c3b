"""A relying party with Authlib: reads {"step": "begin"} and {"step": "finish", "url": ...} lines, answers a line each."""
import json
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt

issuer, client_id, client_secret, redirect_uri = sys.argv[1:]
metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=10).json()
session = OAuth2Session(
    client_id, client_secret, redirect_uri=redirect_uri, scope="openid profile email", code_challenge_method="S256"
)
verifier, nonce = generate_token(64), generate_token(24)


def begin():
    url, _ = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
    )
    return {"url": url}


def finish(url):
    token = session.fetch_token(metadata["token_endpoint"], authorization_response=url, code_verifier=verifier)
    keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"], timeout=10).json())
    claims = jwt.decode(
        token["id_token"],
        keys,
        claims_options={"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}},
    )
    claims.validate(leeway=5)
    assert claims["nonce"] == nonce
    userinfo = session.get(metadata["userinfo_endpoint"]).json()
    refreshed = session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
    rotated = refreshed["refresh_token"] != token["refresh_token"] and refreshed["access_token"] != token["access_token"]
    return {"claims": dict(claims), "userinfo": userinfo, "refreshed": rotated}


for line in sys.stdin:
    message = json.loads(line)
    answer = begin() if message["step"] == "begin" else finish(message["url"])
    print(json.dumps(answer), flush=True)
