# mypy: ignore-errors
"""An MCP server with OAuth by Authlib on Flask, run by the Python of `$PISCES_PEERS/servers`: `oauth_authlib.py PORT`.

Another implementation than the SDK's: registration, codes with PKCE, refresh tokens that work once, revocation.
`/log` says what was asked for, `/forget` makes every access token end.
"""

from __future__ import annotations

import os
import secrets
import sys
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Flask, jsonify, request

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # it is on loopback
PORT = int(sys.argv[1])
BASE = f"http://127.0.0.1:{PORT}"
CLIENTS, CODES, TOKENS, LOG = {}, {}, [], []


class User:
    def get_user_id(self):
        return 1


class Client(ClientMixin):
    def __init__(self, number, metadata):
        self.client_id, self.metadata = number, metadata
        self.client_info, self.client_metadata = {"client_id": number}, metadata

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return self.metadata["redirect_uris"][0]

    def get_allowed_scope(self, scope):
        return scope or ""

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri in self.metadata["redirect_uris"]

    def check_client_secret(self, _secret):
        return False

    def check_endpoint_auth_method(self, method, _endpoint):
        return method == "none"

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.metadata["grant_types"]


class Code:
    def __init__(self, asked):
        self.code, self.client_id = asked["code"], asked["client_id"]
        self.redirect_uri, self.scope = asked["redirect_uri"], asked["scope"]
        self.code_challenge, self.code_challenge_method = asked["challenge"], "S256"

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class Token(TokenMixin):
    def __init__(self, fields, client_id):
        self.fields, self.client_id, self.is_over = fields, client_id, False
        self.access_is_over = False

    def check_client(self, client):
        return self.client_id == client.client_id

    def get_scope(self):
        return self.fields.get("scope", "")

    def get_expires_in(self):
        return self.fields["expires_in"]

    def is_expired(self):
        return False

    def is_revoked(self):
        return self.is_over

    def get_user(self):
        return User()

    def get_client(self):
        return CLIENTS[self.client_id]


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)

    def save_authorization_code(self, code, asked):
        sent = asked.payload.data
        fields = {"code": code, "client_id": asked.client.client_id, "scope": sent.get("scope", "")}
        CODES[code] = Code({**fields, "redirect_uri": sent["redirect_uri"], "challenge": sent["code_challenge"]})

    def query_authorization_code(self, code, client):
        found = CODES.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        LOG.append("code")
        CODES.pop(authorization_code.code)

    def authenticate_user(self, _code):
        return User()


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        found = (each for each in TOKENS if each.fields.get("refresh_token") == refresh_token and not each.is_over)
        return next(found, None)

    def authenticate_user(self, _credential):
        return User()

    def revoke_old_credential(self, credential):
        LOG.append("refresh")
        credential.is_over = credential.access_is_over = True


class Registration(ClientRegistrationEndpoint):
    def authenticate_token(self, _request):
        return True

    def get_server_metadata(self):
        return {}

    def save_client(self, client_info, client_metadata, _request):
        LOG.append("register")
        made = Client(client_info["client_id"], dict(client_metadata))
        CLIENTS[made.client_id] = made
        return made


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ("none",)

    def query_token(self, token_string, _hint):
        found = (each for each in TOKENS if token_string in each.fields.values())
        return next(found, None)

    def revoke_token(self, token, _request):
        LOG.append("revoke")
        token.is_over = token.access_is_over = True


app = Flask(__name__)
server = AuthorizationServer(
    app,
    query_client=CLIENTS.get,
    save_token=lambda fields, asked: TOKENS.append(Token(fields, asked.client.client_id)),
)


def _token(**_given):
    made = {"access_token": secrets.token_hex(20), "refresh_token": secrets.token_hex(20)}
    return {**made, "token_type": "Bearer", "expires_in": 3600, "scope": "tools"}


server.register_token_generator("default", _token)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_endpoint(Registration)
server.register_endpoint(Revocation)


@app.get("/.well-known/oauth-protected-resource")
def resource():
    return jsonify(resource=BASE, authorization_servers=[f"{BASE}/tenant"], scopes_supported=["tools"])


@app.get("/tenant/.well-known/openid-configuration")
def metadata():
    """OpenID's own place, for an issuer with a path."""
    return jsonify(
        issuer=f"{BASE}/tenant",
        authorization_endpoint=f"{BASE}/tenant/authorize?from=mcp",
        token_endpoint=f"{BASE}/tenant/token",
        registration_endpoint=f"{BASE}/tenant/register",
        revocation_endpoint=f"{BASE}/tenant/revoke",
        response_types_supported=["code"],
        code_challenge_methods_supported=["S256"],
        token_endpoint_auth_methods_supported=["none"],
        scopes_supported=["tools", "offline_access"],
    )


@app.get("/tenant/authorize")
def authorize():
    LOG.append(f"authorize {request.args['resource']} {request.args['scope']} {request.args['from']}")
    return server.create_authorization_response(grant=server.get_consent_grant(end_user=User()), grant_user=User())


@app.post("/tenant/token")
def token():
    return server.create_token_response()


@app.post("/tenant/register")
def register():
    return server.create_endpoint_response("client_registration")


@app.post("/tenant/revoke")
def revoke():
    return server.create_endpoint_response("revocation")


@app.get("/log")
def log():
    return jsonify(LOG)


@app.post("/forget")
def forget():
    for each in TOKENS:
        each.access_is_over = True
    return jsonify(True)


@app.post("/api/mcp")
def mcp():
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not any(each.fields["access_token"] == sent and not each.access_is_over for each in TOKENS):
        return "", 401, {"WWW-Authenticate": 'Bearer realm="mcp", scope="tools"'}
    message = request.get_json()
    if "id" not in message:
        return "", 202
    about = {"serverInfo": {"name": "authlib", "version": "1"}, "capabilities": {"tools": {}}}
    results = {
        "initialize": {"protocolVersion": "2025-06-18", **about},
        "tools/list": {"tools": [{"name": "clock", "inputSchema": {"type": "object"}}]},
        "tools/call": {"content": [{"type": "text", "text": str(time.time() > 0)}]},
    }
    return jsonify(jsonrpc="2.0", id=message["id"], result=results[message["method"]])


if __name__ == "__main__":
    app.run("127.0.0.1", PORT, threaded=True)
