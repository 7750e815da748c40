"""A token that has expired or is refused is renewed: once, by one host, and the new refresh token is never lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import pytest

from pisces.diagnostics import PiscesError
from pisces.mcp.login import log_in
from pisces.mcp.oauth_bearer import Bearer
from pisces.mcp.tokens import Grant, TokenStore
from pisces.packages.settings.secrets import SECRET_UNREACHABLE, vaults_here
from tests.mcp.oauth_plans import home_in, remote, somebody
from tests.mcp.servers.oauth_sdk import Running, authorizing_server
from tests.mcp.test_oauth_login import INITIALIZE, bearer_of, log_in_here, status

if TYPE_CHECKING:
    from pisces.packages.settings.secrets import Vault


@pytest.fixture
def server() -> Iterator[Running]:
    with authorizing_server() as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> TokenStore:
    return TokenStore(home_in(tmp_path))


def stored(server: Running, store: TokenStore) -> Grant:
    grant = store.find(server.url, "")
    assert grant
    return grant


def expire(server: Running, store: TokenStore) -> Grant:
    """As after a night: the store and the server both know that the access token has ended."""
    grant = stored(server, store).replace(expires_at=time.time() - 1)
    store.put(grant, "remote")
    server.provider.access.clear()
    server.provider.log.clear()
    return grant


def test_the_time_at_which_a_token_ends_is_stored(server: Running, tmp_path: Path, store: TokenStore) -> None:
    log_in_here(server, tmp_path)
    ends = stored(server, store).expires_at
    assert ends is not None
    assert abs(ends - time.time() - 3600) < 60


def test_after_a_restart_an_expired_token_is_renewed_and_nobody_logs_in(
    server: Running, tmp_path: Path, store: TokenStore
) -> None:
    log_in_here(server, tmp_path)
    old = expire(server, store)
    assert asyncio.run(status(server, bearer_of(server, tmp_path))) == 200
    assert server.provider.log == ["refresh"]
    assert stored(server, store).refresh != old.refresh


def test_a_token_that_the_server_forgot_is_renewed_although_it_has_not_ended(
    server: Running, tmp_path: Path, store: TokenStore
) -> None:
    log_in_here(server, tmp_path)
    server.provider.access.clear()
    assert asyncio.run(status(server, bearer_of(server, tmp_path))) == 200
    assert server.provider.log[-1] == "refresh"


def test_of_two_hosts_one_renews_and_the_other_takes_the_new_token(
    server: Running, tmp_path: Path, store: TokenStore
) -> None:
    log_in_here(server, tmp_path)
    expire(server, store)

    async def together() -> list[int]:
        hosts = [bearer_of(server, tmp_path) for _ in range(6)]
        return await asyncio.gather(*(status(server, host) for host in hosts))

    assert asyncio.run(together()) == [200] * 6
    assert server.provider.log == ["refresh"]


def test_many_requests_of_one_host_renew_once(server: Running, tmp_path: Path, store: TokenStore) -> None:
    log_in_here(server, tmp_path)
    expire(server, store)

    async def together() -> list[int]:
        host = bearer_of(server, tmp_path)
        return await asyncio.gather(*(status(server, host) for _ in range(8)))

    assert asyncio.run(together()) == [200] * 8
    assert server.provider.log == ["refresh"]


def test_a_caller_who_gives_up_does_not_lose_the_new_refresh_token(
    server: Running, tmp_path: Path, store: TokenStore
) -> None:
    log_in_here(server, tmp_path)
    old = expire(server, store)

    async def impatient() -> None:
        bearer = bearer_of(server, tmp_path)
        asking = asyncio.create_task(status(server, bearer))
        while not server.provider.log:  # the other side has taken the old refresh token
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await bearer.settled()

    asyncio.run(impatient())
    assert stored(server, store).refresh in server.provider.refresh
    assert stored(server, store).refresh != old.refresh


def test_a_refresh_token_that_has_ended_needs_a_login(server: Running, tmp_path: Path, store: TokenStore) -> None:
    log_in_here(server, tmp_path)
    expire(server, store)
    server.provider.refresh.clear()
    bearer = bearer_of(server, tmp_path)
    assert asyncio.run(status(server, bearer)) == 401
    assert bearer.reason == "needs login: `pisces mcp login remote` (the last one has ended)"
    assert stored(server, store).refresh == ""


def test_a_login_elsewhere_is_seen_by_a_host_that_is_open(server: Running, tmp_path: Path, store: TokenStore) -> None:
    bearer = bearer_of(server, tmp_path)

    async def before_and_after() -> tuple[int, int]:
        before = await status(server, bearer)
        places = home_in(tmp_path)
        await log_in(remote(server.url), store, places.env, somebody())
        return before, await status(server, bearer)

    assert asyncio.run(before_and_after()) == (401, 200)


def test_an_authorization_server_that_is_away_ends_no_login(server: Running, tmp_path: Path, store: TokenStore) -> None:
    log_in_here(server, tmp_path)
    grant = expire(server, store).replace(token_url="http://127.0.0.1:9/token")
    store.put(grant, "remote")
    bearer = bearer_of(server, tmp_path)
    assert asyncio.run(status(server, bearer)) == 401
    assert "http://127.0.0.1:9/token does not answer" in bearer.reason
    assert stored(server, store).refresh == grant.refresh


def test_another_address_gets_no_token(server: Running, tmp_path: Path) -> None:
    """The same server under another path or name is another address, and so is what a changed entry says."""
    log_in_here(server, tmp_path)
    places = home_in(tmp_path)
    for url in (f"{server.base}/mcp/", f"{server.base}/mcp?x=1", server.url.replace("127.0.0.1", "localhost")):
        assert TokenStore(places).find(url, "") is None
    for oauth in ({"clientId": "other"}, {"tokenUrl": f"{server.base}/else", "authorizationUrl": server.base}):
        plan = remote(server.url, config={"oauth": oauth})
        bearer = Bearer(plan, TokenStore(places), places.env)
        assert asyncio.run(status(server, bearer)) == 401, oauth


def test_a_login_that_somebody_moved_to_another_address_is_not_used(
    server: Running, tmp_path: Path, store: TokenStore
) -> None:
    log_in_here(server, tmp_path)
    index = tmp_path / ".pisces" / "agent" / "mcp" / "logins.json"
    index.write_text(index.read_text().replace(server.url, "https://evil.example/mcp"))
    assert store.find("https://evil.example/mcp", "") is None


def test_a_token_is_in_no_message_and_in_no_representation(
    server: Running, tmp_path: Path, store: TokenStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    log_in_here(server, tmp_path)
    expire(server, store)
    bearer = bearer_of(server, tmp_path)
    asyncio.run(status(server, bearer))
    server.provider.access.clear()
    server.provider.refresh.clear()
    asyncio.run(status(server, bearer))
    shown = f"{caplog.text}{stored(server, store)!r}{bearer.reason}{vars(bearer)!r}"
    assert len(server.provider.every_token) > 3
    assert not [token for token in server.provider.every_token if token in shown]


def test_an_explicit_request_body_is_sent_again_after_a_renewal(
    server: Running, tmp_path: Path, store: TokenStore
) -> None:
    log_in_here(server, tmp_path)
    server.provider.access.clear()

    async def name() -> str:
        async with httpx2.AsyncClient(auth=bearer_of(server, tmp_path), trust_env=False) as client:
            headers = {"Accept": "application/json, text/event-stream"}
            return (await client.post(server.url, json=INITIALIZE, headers=headers)).text

    assert '"serverInfo"' in asyncio.run(name())


def test_a_token_that_lasts_a_moment_is_not_renewed_for_each_request(tmp_path: Path) -> None:
    with authorizing_server(life=20) as server:  # less than the margin before the end
        log_in_here(server, tmp_path)
        server.provider.log.clear()

        async def requests() -> list[int]:
            bearer = bearer_of(server, tmp_path)
            return [await status(server, bearer) for _ in range(5)]

        assert asyncio.run(requests()) == [200] * 5
        assert server.provider.log == ["refresh"]


class FullVault:
    """A disk that is full for a while: the first `refusals` writes fail."""

    id = "file"

    def __init__(self, inside: Vault, refusals: int) -> None:
        self._inside, self.refusals = inside, refusals

    def put(self, account: str, text: str) -> None:
        if self.refusals:
            self.refusals -= 1
            raise PiscesError(SECRET_UNREACHABLE.at("", "no space left"))
        self._inside.put(account, text)

    def find(self, account: str) -> str | None:
        return self._inside.find(account)

    def drop(self, account: str) -> None:
        self._inside.drop(account)


@pytest.mark.parametrize("refusals", [1, 2, 3])
def test_a_new_refresh_token_that_cannot_be_stored_is_used_and_stored_later(
    refusals: int, server: Running, tmp_path: Path, store: TokenStore
) -> None:
    log_in_here(server, tmp_path)
    expire(server, store)
    places = home_in(tmp_path)
    vault = FullVault(vaults_here(places)[0], refusals)
    bearer = Bearer(remote(server.url), TokenStore(places, lambda _places: [vault]), places.env)

    async def story() -> int:
        code = await status(server, bearer)
        while vault.refusals:
            await status(server, bearer)
        await bearer.settled()
        return code

    assert asyncio.run(story()) == 200
    assert server.provider.log == ["refresh"]
    assert stored(server, store).refresh in server.provider.refresh
