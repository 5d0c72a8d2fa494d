from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.verification import Verification
from ...types import UNSET, Response, Unset


def _get_kwargs(
    search: str,
    *,
    sample: int | None | Unset = UNSET,
    prefer: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(prefer, Unset):
        headers["prefer"] = prefer

    if not isinstance(idempotency_key, Unset):
        headers["idempotency-key"] = idempotency_key

    params: dict[str, Any] = {}

    json_sample: int | None | Unset
    if isinstance(sample, Unset):
        json_sample = UNSET
    else:
        json_sample = sample
    params["sample"] = json_sample

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/searches/{search}:verify".format(
            search=quote(str(search), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Verification | None:
    if response.status_code == 200:
        response_200 = Verification.from_dict(response.json())

        return response_200

    if response.status_code == 202:
        response_202 = Verification.from_dict(response.json())

        return response_202

    if response.status_code == 401:
        response_401 = Problem.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Problem.from_dict(response.json())

        return response_403

    if response.status_code == 404:
        response_404 = Problem.from_dict(response.json())

        return response_404

    if response.status_code == 409:
        response_409 = Problem.from_dict(response.json())

        return response_409

    if response.status_code == 410:
        response_410 = Problem.from_dict(response.json())

        return response_410

    if response.status_code == 413:
        response_413 = Problem.from_dict(response.json())

        return response_413

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
) -> Response[Problem | Verification]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    search: str,
    *,
    client: AuthenticatedClient,
    sample: int | None | Unset = UNSET,
    prefer: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Response[Problem | Verification]:
    """Verify Search

     Compute a finished search again and compare every value with its result.

    Args:
        search (str):
        sample (int | None | Unset): Score the hits and so many other subjects, without the
            engine; else all is searched again.
        prefer (None | str | Unset): `wait=N`: answer when it has ended, or after N s.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same verification. Kept for 24 h.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Verification]
    """

    kwargs = _get_kwargs(
        search=search,
        sample=sample,
        prefer=prefer,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    search: str,
    *,
    client: AuthenticatedClient,
    sample: int | None | Unset = UNSET,
    prefer: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Problem | Verification | None:
    """Verify Search

     Compute a finished search again and compare every value with its result.

    Args:
        search (str):
        sample (int | None | Unset): Score the hits and so many other subjects, without the
            engine; else all is searched again.
        prefer (None | str | Unset): `wait=N`: answer when it has ended, or after N s.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same verification. Kept for 24 h.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Verification
    """

    return sync_detailed(
        search=search,
        client=client,
        sample=sample,
        prefer=prefer,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    search: str,
    *,
    client: AuthenticatedClient,
    sample: int | None | Unset = UNSET,
    prefer: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Response[Problem | Verification]:
    """Verify Search

     Compute a finished search again and compare every value with its result.

    Args:
        search (str):
        sample (int | None | Unset): Score the hits and so many other subjects, without the
            engine; else all is searched again.
        prefer (None | str | Unset): `wait=N`: answer when it has ended, or after N s.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same verification. Kept for 24 h.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Verification]
    """

    kwargs = _get_kwargs(
        search=search,
        sample=sample,
        prefer=prefer,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    search: str,
    *,
    client: AuthenticatedClient,
    sample: int | None | Unset = UNSET,
    prefer: None | str | Unset = UNSET,
    idempotency_key: None | str | Unset = UNSET,
) -> Problem | Verification | None:
    """Verify Search

     Compute a finished search again and compare every value with its result.

    Args:
        search (str):
        sample (int | None | Unset): Score the hits and so many other subjects, without the
            engine; else all is searched again.
        prefer (None | str | Unset): `wait=N`: answer when it has ended, or after N s.
        idempotency_key (None | str | Unset): A quoted string made up for this request: sent
            again, it is the same verification. Kept for 24 h.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Verification
    """

    return (
        await asyncio_detailed(
            search=search,
            client=client,
            sample=sample,
            prefer=prefer,
            idempotency_key=idempotency_key,
        )
    ).parsed
