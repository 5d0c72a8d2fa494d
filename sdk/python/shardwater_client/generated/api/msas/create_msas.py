from http import HTTPStatus
from typing import Any, cast

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.msa_request import MsaRequest
from ...models.msas import Msas
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: MsaRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(prefer, Unset):
        headers["prefer"] = prefer

    if not isinstance(cache_control, Unset):
        headers["cache-control"] = cache_control

    if not isinstance(idempotency_key, Unset):
        headers["idempotency-key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/msas",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Any | Msas | Problem | str | None:
    if response.status_code == 200:
        response_200 = response.text
        return response_200

    if response.status_code == 202:
        response_202 = Msas.from_dict(response.json())

        return response_202

    if response.status_code == 307:
        response_307 = cast(Any, None)
        return response_307

    if response.status_code == 400:
        response_400 = Problem.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Problem.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Problem.from_dict(response.json())

        return response_403

    if response.status_code == 406:
        response_406 = Problem.from_dict(response.json())

        return response_406

    if response.status_code == 409:
        response_409 = Problem.from_dict(response.json())

        return response_409

    if response.status_code == 413:
        response_413 = Problem.from_dict(response.json())

        return response_413

    if response.status_code == 415:
        response_415 = Problem.from_dict(response.json())

        return response_415

    if response.status_code == 422:
        response_422 = Problem.from_dict(response.json())

        return response_422

    if response.status_code == 429:
        response_429 = Problem.from_dict(response.json())

        return response_429

    if response.status_code == 500:
        response_500 = Problem.from_dict(response.json())

        return response_500

    if response.status_code == 503:
        response_503 = Problem.from_dict(response.json())

        return response_503

    if response.status_code == 507:
        response_507 = Problem.from_dict(response.json())

        return response_507

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Any | Msas | Problem | str]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: MsaRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Response[Any | Msas | Problem | str]:
    """Create Msas

     Make MSAs of proteins, each of what is found in rounds of an exact search.

    Args:
        prefer (None | str | Unset): `wait=N`: answer with the result if it comes in N s; else at
            once.
        cache_control (None | str | Unset): `no-cache`: run anew what was run before.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same job. Kept for 24 h.
        body (MsaRequest): MSAs of chains, each of them alone, or of complexes whose chains are
            paired besides.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Msas | Problem | str]
    """

    kwargs = _get_kwargs(
        body=body,
        prefer=prefer,
        cache_control=cache_control,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: MsaRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Any | Msas | Problem | str | None:
    """Create Msas

     Make MSAs of proteins, each of what is found in rounds of an exact search.

    Args:
        prefer (None | str | Unset): `wait=N`: answer with the result if it comes in N s; else at
            once.
        cache_control (None | str | Unset): `no-cache`: run anew what was run before.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same job. Kept for 24 h.
        body (MsaRequest): MSAs of chains, each of them alone, or of complexes whose chains are
            paired besides.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Msas | Problem | str
    """

    return sync_detailed(
        client=client,
        body=body,
        prefer=prefer,
        cache_control=cache_control,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: MsaRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Response[Any | Msas | Problem | str]:
    """Create Msas

     Make MSAs of proteins, each of what is found in rounds of an exact search.

    Args:
        prefer (None | str | Unset): `wait=N`: answer with the result if it comes in N s; else at
            once.
        cache_control (None | str | Unset): `no-cache`: run anew what was run before.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same job. Kept for 24 h.
        body (MsaRequest): MSAs of chains, each of them alone, or of complexes whose chains are
            paired besides.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Msas | Problem | str]
    """

    kwargs = _get_kwargs(
        body=body,
        prefer=prefer,
        cache_control=cache_control,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: MsaRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Any | Msas | Problem | str | None:
    """Create Msas

     Make MSAs of proteins, each of what is found in rounds of an exact search.

    Args:
        prefer (None | str | Unset): `wait=N`: answer with the result if it comes in N s; else at
            once.
        cache_control (None | str | Unset): `no-cache`: run anew what was run before.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same job. Kept for 24 h.
        body (MsaRequest): MSAs of chains, each of them alone, or of complexes whose chains are
            paired besides.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Msas | Problem | str
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            prefer=prefer,
            cache_control=cache_control,
            idempotency_key=idempotency_key,
        )
    ).parsed
