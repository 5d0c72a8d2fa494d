"""Who asks: told by an API key, by the page's session cookie, or by a proxy that has asked already.

Plain ASGI, before any route runs. What a request may do is told by the route that matches it, found as the router finds
it: no path is read here. A route that is not named here as open is closed, and so is one that comes later. Routes find
the caller in the scope.
"""

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import cast
from urllib.parse import urlsplit

from fastapi import Request
from redis.asyncio import Redis as AsyncRedis
from redis.exceptions import RedisError
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.compat.faults import DialectRoute
from app.middleware.foreign_forms import own_form, posts_form, starts_search
from app.middleware.hosts import Hosts
from app.middleware.matching import matched, reads_pages
from app.problems import KEY_WRONG, NO_KEY, NO_USER, forbidden, misdirected, respond, unauthenticated
from worker.access.api_keys import OWNER, Presented, caller_of, key_name, session_name
from worker.access.callers import ANYBODY, NOBODY, Caller
from worker.access.callers import Scope as Permission
from worker.jobs.redis_names import text
from worker.settings import Settings

SESSION_COOKIE = "shardwater_session"

_SAFE = ("GET", "HEAD", "OPTIONS")
OPEN = frozenset({"/healthz", "/readyz", "/openapi.json", "/docs", "/help", "/assets/{name}"})
"""Routes for everybody: what monitors ask, and what the page is made of."""
_FORMS = frozenset({"/", "/align", "/compare", "/msas"})
"""Routes that other sites' forms fill in, where nothing is done yet."""
_SESSION = "/session"
_SIGN_IN = frozenset(
    {
        *(*_FORMS, _SESSION, "/searches/{search}", "/alignments/{alignment}", "/comparisons/{comparison}"),
        *("/msas/{msas}", "/history"),
    }
)
"""Routes of the page, which asks for a key where there is no caller."""
_ADMIN = frozenset({"/metrics", "/v1/workers"})
_PREDICTORS = frozenset({"/ticket/msa", "/ticket/pair", "/ticket/{ticket}", "/result/download/{ticket}"})
"""Where clients of ColabFold's server send their keys as they can: as X-API-Key, or as a Basic login's password."""
_MOST_LOGIN = 1024
OTHER_SITE = (
    "the service refuses requests from pages of other sites. The operator can allow a site with "
    "SHARDWATER_CORS_ORIGINS. HTML forms that a user submits to /v1/searches or / are allowed"
)
_SITE_BITS = 64
"""A site has a network of IPv6 of so many bits, and as many addresses as it likes."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Who asks, if anybody is known; `unasked` where a browser says so without its page having to.

    by_programs: where what is no browser, and says nothing of pages, says it as well."""

    caller: Caller | None
    unasked: bool = False
    by_programs: bool = False


@dataclass(frozen=True, slots=True)
class _Access:
    """A request and what it is for: the path of the route that answers it, empty where there is none."""

    request: Request
    route: str
    dialect: bool
    """One of the older interfaces, some of which act by GET: no place for what browsers send along by themselves."""

    @classmethod
    def of(cls, request: Request) -> "_Access":
        route = matched(request.scope)
        return cls(request, "" if route is None else route.path, isinstance(route, DialectRoute))

    @property
    def wanted(self) -> Permission:
        """The scope that is needed."""
        return "admin" if self.route in _ADMIN else "search"

    @property
    def acts(self) -> bool:
        """Whether it may change something."""
        return self.request.method not in _SAFE or self.dialect

    @property
    def is_foreign_form(self) -> bool:
        """Whether a browser posts another site's form to where jobs are created."""
        return posts_form(self.request, self.route) and _from_here(self.request.headers) is False

    @property
    def own_form(self) -> "ASGIApp | None":
        """Our own form, filled in, in place of a refusal of another site's form."""
        return own_form(self.request, self.route) if self.is_foreign_form else None


@dataclass(frozen=True, slots=True)
class _Sent:
    """A key as it came, or what stands in its place; empty where nothing does."""

    scheme: str
    key: str

    @classmethod
    def of(cls, access: _Access) -> "_Sent":
        headers = access.request.headers
        scheme, _, text = headers.get("authorization", "").partition(" ")
        scheme = scheme.lower()
        if scheme == "bearer":
            return cls(scheme, text)
        if access.route in _PREDICTORS:
            if (key := headers.get("x-api-key")) is not None:
                return cls("x-api-key", key)
            if scheme == "basic":
                return cls(scheme, _password(text))
        return cls(scheme, "")


class Gate:
    """Lets those in who may come in, and notes who they are."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._mode = app, settings.auth
        self._proxies, self._origins, self._hosts = settings.proxies, settings.origins, Hosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        access = _Access.of(request)
        if self._mode == "off":
            caller, refusal = ANYBODY, self._refusal_to_anybody(access)
        elif access.route in OPEN:
            caller, refusal = NOBODY, None
        else:
            send = _Varying(send)
            try:
                found = await self._find(access)
            except RedisError:
                await respond(request, "service-unavailable", "the queue does not answer")(scope, receive, send)
                return
            caller, refusal = found.caller or NOBODY, self._refusal(access, found)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        scope["caller"] = replace(caller, account=caller.account or f"address {self._address(request)}")
        await self._app(scope, receive, send)

    def _refusal_to_anybody(self, access: _Access) -> "ASGIApp | None":
        """In mode off the answer to a page of another site, which is no user of ours."""
        request, headers = access.request, access.request.headers
        if not self._hosts.admit(headers):
            return misdirected(request)
        named = {"*", headers.get("origin")} & set(self._origins)
        # Another port of this machine is the same site to a browser, and need not be ours. Over plain HTTP a browser
        # sends no Sec-Fetch-Site to a named host: Origin says it, or Referer where an older interface acts by GET.
        other = _from_here(headers) is False
        if access.acts and access.route not in _FORMS and other and not named:
            if starts_search(request, access.route):
                return None
            return access.own_form or forbidden(request, OTHER_SITE)
        return None

    async def _find(self, access: _Access) -> _Found:
        request = access.request
        sent = _Sent.of(access)
        presented = Presented.read(sent.key.strip())
        if presented is not None:
            # A browser sends a login again and again once it has one.
            login = sent.scheme == "basic"
            return _Found(await find_key(request.app.state.service.listeners, presented), login, by_programs=login)
        if self._mode == "proxy":
            return _Found(self._user(request), unasked=True, by_programs=True)
        token = request.cookies.get(SESSION_COOKIE)
        # A key that will not do is not made good by a cookie; a proxy's own password beside it does no harm.
        if token is None or sent.scheme == "bearer" or access.dialect:
            return _Found(None)
        redis: AsyncRedis = request.app.state.service.listeners
        holder = await redis.get(session_name(token))
        caller = None if holder is None else caller_of(await _record(redis, text(holder)))
        return _Found(caller, unasked=True)

    def _refusal(self, access: _Access, found: _Found) -> "ASGIApp | None":
        request = access.request
        signs_in = self._mode == "keys" and access.route in _SIGN_IN
        if found.caller is None and not signs_in:
            # To a browser a page says that nothing is here, and lets it sign in.
            is_lost = self._mode == "keys" and not access.route and reads_pages(request) and not access.acts
            if is_lost:
                return None
            # Our form asks for the key, and keeps what the portal's form has filled in.
            own = access.own_form if self._mode == "keys" else None
            return own or self._unauthenticated(request)
        if found.caller is not None and not found.caller.may(access.wanted):
            return forbidden(request, f"a key with the scope {access.wanted} is needed", access.wanted)
        if not self._may_act(access, found):
            return access.own_form or forbidden(request, OTHER_SITE)
        return None

    def _unauthenticated(self, request: Request) -> "ASGIApp":
        sent = request.headers.get("authorization")
        is_key = sent is not None and sent.lower().startswith("bearer")
        if self._mode == "proxy":
            return unauthenticated(request, KEY_WRONG if is_key else NO_USER)
        if sent is None:
            return unauthenticated(request)
        return unauthenticated(request, KEY_WRONG if is_key else NO_KEY, sent=True)

    def _may_act(self, access: _Access, found: _Found) -> bool:
        """Whether it is our own page that acts, where a browser would say who asks for any page's request."""
        if access.route in _FORMS:
            return True
        if not access.acts or not (found.unasked or access.route == _SESSION):
            return True
        here = _from_here(access.request.headers)
        # Programs send neither header; a browser with a cookie always has one.
        return here is True or (here is None and found.by_programs)

    def _user(self, request: Request) -> Caller | None:
        """Who the proxy says it is; nobody where another one speaks, or where it says two things."""
        names = request.headers.getlist("x-forwarded-user")
        if not self._trusts(_peer(request)) or len(names) != 1 or not OWNER.fullmatch(names[0]):
            return None
        return Caller(names[0], frozenset({"search"}), f"owner {names[0]}")

    def _trusts(self, address: str) -> bool:
        parsed = _parsed(address)
        return parsed is not None and any(parsed in network for network in self._proxies)

    def _address(self, request: Request) -> str:
        """The client's address: the last of those on the way that is not one of our proxies."""
        hops = [hop.strip() for hop in request.headers.get("x-forwarded-for", "").split(",")]
        address = _peer(request)
        while self._trusts(address) and hops:
            address = hops.pop()
        return _site(address)


async def find_key(redis: AsyncRedis, presented: Presented) -> Caller | None:
    """Whom a key stands for; None for one that will not do."""
    return caller_of(await _record(redis, presented.id), presented)


async def _record(redis: AsyncRedis, key: str) -> Mapping[bytes, bytes]:
    return cast(Mapping[bytes, bytes], await redis.hgetall(key_name(key)))


def _password(login: str) -> str:
    """That of a Basic login (RFC 7617), empty where there is none."""
    try:
        text = b64decode(login[:_MOST_LOGIN], validate=True).decode()
    except ValueError:
        return ""
    return text.partition(":")[2]


def _peer(request: Request) -> str:
    return request.client.host if request.client else ""


def _site(address: str) -> str:
    """Whom an address belongs to."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, _SITE_BITS), strict=False))
    return str(parsed or "unknown")


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address; one of IPv4 also where a socket of IPv6 writes it in its own way."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed


def _from_here(headers: Headers) -> bool | None:
    """Whether a browser's request was made by a page of ours; None where nothing says."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is not None:
        return _authority(origin) == headers.get("host")
    # All that a browser says of a GET over plain HTTP; a page can keep it from saying so, thus it proves nothing.
    referer = headers.get("referer")
    return None if referer is None or _authority(referer) == headers.get("host") else False


def _authority(address: str) -> str:
    """Host and port of an address; empty for what is none."""
    try:
        return urlsplit(address).netloc
    except ValueError:
        return ""


class _Varying:
    """A send that keeps caches from showing one caller's reply to another."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).add_vary_header("Authorization, Cookie")
        await self._send(message)
