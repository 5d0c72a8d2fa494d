from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    alignment: str,
    *,
    pair: int | Unset = 1,
    rank: int | Unset = 1,
    if_none_match: None | str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_none_match, Unset):
        headers["if-none-match"] = if_none_match

    params: dict[str, Any] = {}

    params["pair"] = pair

    params["rank"] = rank

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/alignments/{alignment}/figures/alignment.svg".format(
            alignment=quote(str(alignment), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | Problem | None:
    if response.status_code == 304:
        response_304 = cast(Any, None)
        return response_304

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

    if response.status_code == 422:
        response_422 = Problem.from_dict(response.json())

        return response_422

    if response.status_code == 500:
        response_500 = Problem.from_dict(response.json())

        return response_500

    if response.status_code == 503:
        response_503 = Problem.from_dict(response.json())

        return response_503

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Any | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    alignment: str,
    *,
    client: AuthenticatedClient,
    pair: int | Unset = 1,
    rank: int | Unset = 1,
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | Problem]:
    """Get Pair Figure

     Draw the alignment of a pair in blocks of 60 columns, 7,200 at most; of a job with
    `report=alignment`.

    Args:
        alignment (str):
        pair (int | Unset): Of this pair, in the order of the result. Default: 1.
        rank (int | Unset): Of its alignments this one, where there are several. Default: 1.
        if_none_match (None | str | Unset): The `ETag` of a picture that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem]
    """

    kwargs = _get_kwargs(
        alignment=alignment,
        pair=pair,
        rank=rank,
        if_none_match=if_none_match,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    alignment: str,
    *,
    client: AuthenticatedClient,
    pair: int | Unset = 1,
    rank: int | Unset = 1,
    if_none_match: None | str | Unset = UNSET,
) -> Any | Problem | None:
    """Get Pair Figure

     Draw the alignment of a pair in blocks of 60 columns, 7,200 at most; of a job with
    `report=alignment`.

    Args:
        alignment (str):
        pair (int | Unset): Of this pair, in the order of the result. Default: 1.
        rank (int | Unset): Of its alignments this one, where there are several. Default: 1.
        if_none_match (None | str | Unset): The `ETag` of a picture that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem
    """

    return sync_detailed(
        alignment=alignment,
        client=client,
        pair=pair,
        rank=rank,
        if_none_match=if_none_match,
    ).parsed


async def asyncio_detailed(
    alignment: str,
    *,
    client: AuthenticatedClient,
    pair: int | Unset = 1,
    rank: int | Unset = 1,
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | Problem]:
    """Get Pair Figure

     Draw the alignment of a pair in blocks of 60 columns, 7,200 at most; of a job with
    `report=alignment`.

    Args:
        alignment (str):
        pair (int | Unset): Of this pair, in the order of the result. Default: 1.
        rank (int | Unset): Of its alignments this one, where there are several. Default: 1.
        if_none_match (None | str | Unset): The `ETag` of a picture that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem]
    """

    kwargs = _get_kwargs(
        alignment=alignment,
        pair=pair,
        rank=rank,
        if_none_match=if_none_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    alignment: str,
    *,
    client: AuthenticatedClient,
    pair: int | Unset = 1,
    rank: int | Unset = 1,
    if_none_match: None | str | Unset = UNSET,
) -> Any | Problem | None:
    """Get Pair Figure

     Draw the alignment of a pair in blocks of 60 columns, 7,200 at most; of a job with
    `report=alignment`.

    Args:
        alignment (str):
        pair (int | Unset): Of this pair, in the order of the result. Default: 1.
        rank (int | Unset): Of its alignments this one, where there are several. Default: 1.
        if_none_match (None | str | Unset): The `ETag` of a picture that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem
    """

    return (
        await asyncio_detailed(
            alignment=alignment,
            client=client,
            pair=pair,
            rank=rank,
            if_none_match=if_none_match,
        )
    ).parsed
