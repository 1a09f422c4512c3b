"""A web application with Authlib's Flask client as its documentation begins; it reads the person from the ID token alone."""
import os
from urllib.parse import urlencode

from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, redirect, session, url_for

issuer, base_url = os.environ["ISSUER"], os.environ["BASE_URL"]

app = Flask(__name__)
app.secret_key = os.environ["COOKIE_SECRET"]
oauth = OAuth(app)
oauth.register(
    name="gatehouse",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=issuer + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid email profile"},
)


@app.route("/")
def home():
    if "user" not in session:
        return redirect("/login")
    return jsonify({key: session["user"].get(key) for key in ("sub", "name", "email")})


@app.route("/login")
def login():
    return oauth.gatehouse.authorize_redirect(url_for("auth", _external=True))


@app.route("/auth")
def auth():
    token = oauth.gatehouse.authorize_access_token()
    session["user"] = token["userinfo"]
    session["tokens"] = {key: token[key] for key in ("id_token", "access_token", "refresh_token")}
    return redirect("/")


@app.route("/refresh")
def refresh():
    before = session["tokens"]
    token = oauth.gatehouse.fetch_access_token(grant_type="refresh_token", refresh_token=before["refresh_token"])
    session["tokens"] = {**before, **{key: token[key] for key in ("access_token", "refresh_token")}}
    sub = oauth.gatehouse.userinfo(token=token)["sub"]
    return jsonify({"refreshed": token["access_token"] != before["access_token"], "sub": sub})


@app.route("/logout")
def logout():
    hint = session["tokens"]["id_token"]
    session.clear()
    where = oauth.gatehouse.load_server_metadata()["end_session_endpoint"]
    return redirect(where + "?" + urlencode({"id_token_hint": hint, "post_logout_redirect_uri": base_url + "/"}))


app.run(host="127.0.0.1", port=int(base_url.rsplit(":")[-1]), ssl_context=(os.environ["TLS_CERT"], os.environ["TLS_KEY"]))
