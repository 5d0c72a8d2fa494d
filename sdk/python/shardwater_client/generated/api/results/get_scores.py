from http import HTTPStatus
from io import BytesIO
from typing import Any, cast
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.score_format import ScoreFormat
from ...types import UNSET, File, Response, Unset


def _get_kwargs(
    search: str,
    *,
    format_: None | ScoreFormat | Unset = UNSET,
    query: int | None | Unset = UNSET,
    min_score: int | Unset = 0,
    max_evalue: float | None | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_none_match, Unset):
        headers["if-none-match"] = if_none_match

    params: dict[str, Any] = {}

    json_format_: None | str | Unset
    if isinstance(format_, Unset):
        json_format_ = UNSET
    elif isinstance(format_, str):
        json_format_ = format_
    else:
        json_format_ = format_
    params["format"] = json_format_

    json_query: int | None | Unset
    if isinstance(query, Unset):
        json_query = UNSET
    else:
        json_query = query
    params["query"] = json_query

    params["min_score"] = min_score

    json_max_evalue: float | None | Unset
    if isinstance(max_evalue, Unset):
        json_max_evalue = UNSET
    else:
        json_max_evalue = max_evalue
    params["max_evalue"] = json_max_evalue

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/searches/{search}/scores".format(
            search=quote(str(search), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | File | Problem | None:
    if response.status_code == 200:
        response_200 = File(payload=BytesIO(response.content))

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

    if response.status_code == 406:
        response_406 = Problem.from_dict(response.json())

        return response_406

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


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Any | File | Problem]:
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
    format_: None | ScoreFormat | Unset = UNSET,
    query: int | None | Unset = UNSET,
    min_score: int | Unset = 0,
    max_evalue: float | None | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | File | Problem]:
    """Get Scores

     Get the score of every subject, of a search with `scores=all` that has succeeded.

    Args:
        search (str):
        format_ (None | ScoreFormat | Unset): How they are written. Default: as `Accept` says.
        query (int | None | Unset): Only those of this query, from 1.
        min_score (int | Unset): Of tab and parquet: only subjects of at least this score.
            Default: 0.
        max_evalue (float | None | Unset): Of tab and parquet: only subjects of at most this
            E-value, by the whole score.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | File | Problem]
    """

    kwargs = _get_kwargs(
        search=search,
        format_=format_,
        query=query,
        min_score=min_score,
        max_evalue=max_evalue,
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
    format_: None | ScoreFormat | Unset = UNSET,
    query: int | None | Unset = UNSET,
    min_score: int | Unset = 0,
    max_evalue: float | None | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> Any | File | Problem | None:
    """Get Scores

     Get the score of every subject, of a search with `scores=all` that has succeeded.

    Args:
        search (str):
        format_ (None | ScoreFormat | Unset): How they are written. Default: as `Accept` says.
        query (int | None | Unset): Only those of this query, from 1.
        min_score (int | Unset): Of tab and parquet: only subjects of at least this score.
            Default: 0.
        max_evalue (float | None | Unset): Of tab and parquet: only subjects of at most this
            E-value, by the whole score.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | File | Problem
    """

    return sync_detailed(
        search=search,
        client=client,
        format_=format_,
        query=query,
        min_score=min_score,
        max_evalue=max_evalue,
        if_none_match=if_none_match,
    ).parsed


async def asyncio_detailed(
    search: str,
    *,
    client: AuthenticatedClient,
    format_: None | ScoreFormat | Unset = UNSET,
    query: int | None | Unset = UNSET,
    min_score: int | Unset = 0,
    max_evalue: float | None | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | File | Problem]:
    """Get Scores

     Get the score of every subject, of a search with `scores=all` that has succeeded.

    Args:
        search (str):
        format_ (None | ScoreFormat | Unset): How they are written. Default: as `Accept` says.
        query (int | None | Unset): Only those of this query, from 1.
        min_score (int | Unset): Of tab and parquet: only subjects of at least this score.
            Default: 0.
        max_evalue (float | None | Unset): Of tab and parquet: only subjects of at most this
            E-value, by the whole score.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | File | Problem]
    """

    kwargs = _get_kwargs(
        search=search,
        format_=format_,
        query=query,
        min_score=min_score,
        max_evalue=max_evalue,
        if_none_match=if_none_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    search: str,
    *,
    client: AuthenticatedClient,
    format_: None | ScoreFormat | Unset = UNSET,
    query: int | None | Unset = UNSET,
    min_score: int | Unset = 0,
    max_evalue: float | None | Unset = UNSET,
    if_none_match: None | str | Unset = UNSET,
) -> Any | File | Problem | None:
    """Get Scores

     Get the score of every subject, of a search with `scores=all` that has succeeded.

    Args:
        search (str):
        format_ (None | ScoreFormat | Unset): How they are written. Default: as `Accept` says.
        query (int | None | Unset): Only those of this query, from 1.
        min_score (int | Unset): Of tab and parquet: only subjects of at least this score.
            Default: 0.
        max_evalue (float | None | Unset): Of tab and parquet: only subjects of at most this
            E-value, by the whole score.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | File | Problem
    """

    return (
        await asyncio_detailed(
            search=search,
            client=client,
            format_=format_,
            query=query,
            min_score=min_score,
            max_evalue=max_evalue,
            if_none_match=if_none_match,
        )
    ).parsed
