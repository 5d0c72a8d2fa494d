from http import HTTPStatus
from typing import Any, cast

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.alignment import Alignment
from ...models.alignment_request import AlignmentRequest
from ...models.alignment_result import AlignmentResult
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: AlignmentRequest,
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
        "url": "/v1/alignments",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Alignment | AlignmentResult | Any | Problem | None:
    if response.status_code == 200:
        response_200 = AlignmentResult.from_dict(response.json())

        return response_200

    if response.status_code == 202:
        response_202 = Alignment.from_dict(response.json())

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
) -> Response[Alignment | AlignmentResult | Any | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: AlignmentRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Response[Alignment | AlignmentResult | Any | Problem]:
    """Create Alignment

     Align two lists of sequences, pair by pair.

    Args:
        prefer (None | str | Unset): `wait=N`: answer with the result if it comes in N s; else at
            once.
        cache_control (None | str | Unset): `no-cache`: run anew what was run before.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same job. Kept for 24 h.
        body (AlignmentRequest): A job of pairs: two lists of sequences, and how they are aligned.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Alignment | AlignmentResult | Any | Problem]
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
    body: AlignmentRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Alignment | AlignmentResult | Any | Problem | None:
    """Create Alignment

     Align two lists of sequences, pair by pair.

    Args:
        prefer (None | str | Unset): `wait=N`: answer with the result if it comes in N s; else at
            once.
        cache_control (None | str | Unset): `no-cache`: run anew what was run before.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same job. Kept for 24 h.
        body (AlignmentRequest): A job of pairs: two lists of sequences, and how they are aligned.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Alignment | AlignmentResult | Any | Problem
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
    body: AlignmentRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Response[Alignment | AlignmentResult | Any | Problem]:
    """Create Alignment

     Align two lists of sequences, pair by pair.

    Args:
        prefer (None | str | Unset): `wait=N`: answer with the result if it comes in N s; else at
            once.
        cache_control (None | str | Unset): `no-cache`: run anew what was run before.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same job. Kept for 24 h.
        body (AlignmentRequest): A job of pairs: two lists of sequences, and how they are aligned.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Alignment | AlignmentResult | Any | Problem]
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
    body: AlignmentRequest,
    prefer: None | str | Unset = UNSET,
    cache_control: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Alignment | AlignmentResult | Any | Problem | None:
    """Create Alignment

     Align two lists of sequences, pair by pair.

    Args:
        prefer (None | str | Unset): `wait=N`: answer with the result if it comes in N s; else at
            once.
        cache_control (None | str | Unset): `no-cache`: run anew what was run before.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same job. Kept for 24 h.
        body (AlignmentRequest): A job of pairs: two lists of sequences, and how they are aligned.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Alignment | AlignmentResult | Any | Problem
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
