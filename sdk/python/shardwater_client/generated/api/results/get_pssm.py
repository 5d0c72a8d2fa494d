from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.pssm_format import PssmFormat
from ...types import UNSET, Response, Unset


def _get_kwargs(
    search: str,
    *,
    query: int | Unset = 1,
    format_: PssmFormat | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_none_match, Unset):
        headers["if-none-match"] = if_none_match

    params: dict[str, Any] = {}

    params["query"] = query

    json_format_: str | Unset = UNSET
    if not isinstance(format_, Unset):
        json_format_ = format_

    params["format"] = json_format_

    json_hits: None | str | Unset
    if isinstance(hits, Unset):
        json_hits = UNSET
    else:
        json_hits = hits
    params["hits"] = json_hits

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/searches/{search}/pssm".format(
            search=quote(str(search), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | Problem | str | None:
    if response.status_code == 200:
        response_200 = cast(str, response.json())
        return response_200

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


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Any | Problem | str]:
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
    query: int | Unset = 1,
    format_: PssmFormat | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | Problem | str]:
    """Get Pssm

     Get the profile that the last round of a search was made with, or one of hits that are named.

    Args:
        search (str):
        query (int | Unset): Of which query, from 1. Default: 1.
        format_ (PssmFormat | Unset):
        hits (None | str | Unset): Not the last round's: one of the query and the hits of these
            ranks, as 1,5,9-12, at most 500, whatever their E-values. Each of them needs an alignment
            in the result.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem | str]
    """

    kwargs = _get_kwargs(
        search=search,
        query=query,
        format_=format_,
        hits=hits,
        if_none_match=if_none_match,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    search: str,
    *,
    client: AuthenticatedClient,
    query: int | Unset = 1,
    format_: PssmFormat | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> Any | Problem | str | None:
    """Get Pssm

     Get the profile that the last round of a search was made with, or one of hits that are named.

    Args:
        search (str):
        query (int | Unset): Of which query, from 1. Default: 1.
        format_ (PssmFormat | Unset):
        hits (None | str | Unset): Not the last round's: one of the query and the hits of these
            ranks, as 1,5,9-12, at most 500, whatever their E-values. Each of them needs an alignment
            in the result.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem | str
    """

    return sync_detailed(
        search=search,
        client=client,
        query=query,
        format_=format_,
        hits=hits,
        if_none_match=if_none_match,
    ).parsed


async def asyncio_detailed(
    search: str,
    *,
    client: AuthenticatedClient,
    query: int | Unset = 1,
    format_: PssmFormat | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | Problem | str]:
    """Get Pssm

     Get the profile that the last round of a search was made with, or one of hits that are named.

    Args:
        search (str):
        query (int | Unset): Of which query, from 1. Default: 1.
        format_ (PssmFormat | Unset):
        hits (None | str | Unset): Not the last round's: one of the query and the hits of these
            ranks, as 1,5,9-12, at most 500, whatever their E-values. Each of them needs an alignment
            in the result.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem | str]
    """

    kwargs = _get_kwargs(
        search=search,
        query=query,
        format_=format_,
        hits=hits,
        if_none_match=if_none_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    search: str,
    *,
    client: AuthenticatedClient,
    query: int | Unset = 1,
    format_: PssmFormat | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> Any | Problem | str | None:
    """Get Pssm

     Get the profile that the last round of a search was made with, or one of hits that are named.

    Args:
        search (str):
        query (int | Unset): Of which query, from 1. Default: 1.
        format_ (PssmFormat | Unset):
        hits (None | str | Unset): Not the last round's: one of the query and the hits of these
            ranks, as 1,5,9-12, at most 500, whatever their E-values. Each of them needs an alignment
            in the result.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem | str
    """

    return (
        await asyncio_detailed(
            search=search,
            client=client,
            query=query,
            format_=format_,
            hits=hits,
            if_none_match=if_none_match,
        )
    ).parsed
