from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.result_format import ResultFormat
from ...models.search_result import SearchResult
from ...types import UNSET, Response, Unset


def _get_kwargs(
    search: str,
    *,
    format_: None | ResultFormat | Unset = UNSET,
    columns: str | Unset = "std",
    delim: str | Unset = "",
    spreadsheet: bool | Unset = False,
    query: int | None | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    page_size: int | None | Unset = UNSET,
    page_token: str | Unset = "",
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

    params["columns"] = columns

    params["delim"] = delim

    params["spreadsheet"] = spreadsheet

    json_query: int | None | Unset
    if isinstance(query, Unset):
        json_query = UNSET
    else:
        json_query = query
    params["query"] = json_query

    json_hits: None | str | Unset
    if isinstance(hits, Unset):
        json_hits = UNSET
    else:
        json_hits = hits
    params["hits"] = json_hits

    json_page_size: int | None | Unset
    if isinstance(page_size, Unset):
        json_page_size = UNSET
    else:
        json_page_size = page_size
    params["page_size"] = json_page_size

    params["page_token"] = page_token

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/searches/{search}/results".format(
            search=quote(str(search), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Any | Problem | SearchResult | None:
    if response.status_code == 200:
        response_200 = SearchResult.from_dict(response.json())

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
) -> Response[Any | Problem | SearchResult]:
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
    format_: None | ResultFormat | Unset = UNSET,
    columns: str | Unset = "std",
    delim: str | Unset = "",
    spreadsheet: bool | Unset = False,
    query: int | None | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    page_size: int | None | Unset = UNSET,
    page_token: str | Unset = "",
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | Problem | SearchResult]:
    """Get Results

     Get the result of a search that has succeeded.

    Args:
        search (str):
        format_ (None | ResultFormat | Unset): Instead of Accept: a name, or BLAST's number.
        columns (str | Unset): Columns of tables and parquet, by comma: BLAST's names; `std` is
            the usual twelve. Default: 'std'.
        delim (str | Unset): Of tab, csv, 7 and 10: what stands between cells, instead of tab or
            comma. Default: ''.
        spreadsheet (bool | Unset): Of tab, csv, 7 and 10: put `'` before text that spreadsheets
            take for a formula. Default: False.
        query (int | None | Unset): Only this query's part, from 1.
        hits (None | str | Unset): Only the hits of these ranks, as 1,5,9-12; of several queries
            name one, too.
        page_size (int | None | Unset): Of json: so many of one query's hits at a time.
        page_token (str | Unset): `next_page_token` of the page before. Default: ''.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem | SearchResult]
    """

    kwargs = _get_kwargs(
        search=search,
        format_=format_,
        columns=columns,
        delim=delim,
        spreadsheet=spreadsheet,
        query=query,
        hits=hits,
        page_size=page_size,
        page_token=page_token,
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
    format_: None | ResultFormat | Unset = UNSET,
    columns: str | Unset = "std",
    delim: str | Unset = "",
    spreadsheet: bool | Unset = False,
    query: int | None | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    page_size: int | None | Unset = UNSET,
    page_token: str | Unset = "",
    if_none_match: None | str | Unset = UNSET,
) -> Any | Problem | SearchResult | None:
    """Get Results

     Get the result of a search that has succeeded.

    Args:
        search (str):
        format_ (None | ResultFormat | Unset): Instead of Accept: a name, or BLAST's number.
        columns (str | Unset): Columns of tables and parquet, by comma: BLAST's names; `std` is
            the usual twelve. Default: 'std'.
        delim (str | Unset): Of tab, csv, 7 and 10: what stands between cells, instead of tab or
            comma. Default: ''.
        spreadsheet (bool | Unset): Of tab, csv, 7 and 10: put `'` before text that spreadsheets
            take for a formula. Default: False.
        query (int | None | Unset): Only this query's part, from 1.
        hits (None | str | Unset): Only the hits of these ranks, as 1,5,9-12; of several queries
            name one, too.
        page_size (int | None | Unset): Of json: so many of one query's hits at a time.
        page_token (str | Unset): `next_page_token` of the page before. Default: ''.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem | SearchResult
    """

    return sync_detailed(
        search=search,
        client=client,
        format_=format_,
        columns=columns,
        delim=delim,
        spreadsheet=spreadsheet,
        query=query,
        hits=hits,
        page_size=page_size,
        page_token=page_token,
        if_none_match=if_none_match,
    ).parsed


async def asyncio_detailed(
    search: str,
    *,
    client: AuthenticatedClient,
    format_: None | ResultFormat | Unset = UNSET,
    columns: str | Unset = "std",
    delim: str | Unset = "",
    spreadsheet: bool | Unset = False,
    query: int | None | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    page_size: int | None | Unset = UNSET,
    page_token: str | Unset = "",
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | Problem | SearchResult]:
    """Get Results

     Get the result of a search that has succeeded.

    Args:
        search (str):
        format_ (None | ResultFormat | Unset): Instead of Accept: a name, or BLAST's number.
        columns (str | Unset): Columns of tables and parquet, by comma: BLAST's names; `std` is
            the usual twelve. Default: 'std'.
        delim (str | Unset): Of tab, csv, 7 and 10: what stands between cells, instead of tab or
            comma. Default: ''.
        spreadsheet (bool | Unset): Of tab, csv, 7 and 10: put `'` before text that spreadsheets
            take for a formula. Default: False.
        query (int | None | Unset): Only this query's part, from 1.
        hits (None | str | Unset): Only the hits of these ranks, as 1,5,9-12; of several queries
            name one, too.
        page_size (int | None | Unset): Of json: so many of one query's hits at a time.
        page_token (str | Unset): `next_page_token` of the page before. Default: ''.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem | SearchResult]
    """

    kwargs = _get_kwargs(
        search=search,
        format_=format_,
        columns=columns,
        delim=delim,
        spreadsheet=spreadsheet,
        query=query,
        hits=hits,
        page_size=page_size,
        page_token=page_token,
        if_none_match=if_none_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    search: str,
    *,
    client: AuthenticatedClient,
    format_: None | ResultFormat | Unset = UNSET,
    columns: str | Unset = "std",
    delim: str | Unset = "",
    spreadsheet: bool | Unset = False,
    query: int | None | Unset = UNSET,
    hits: None | str | Unset = UNSET,
    page_size: int | None | Unset = UNSET,
    page_token: str | Unset = "",
    if_none_match: None | str | Unset = UNSET,
) -> Any | Problem | SearchResult | None:
    """Get Results

     Get the result of a search that has succeeded.

    Args:
        search (str):
        format_ (None | ResultFormat | Unset): Instead of Accept: a name, or BLAST's number.
        columns (str | Unset): Columns of tables and parquet, by comma: BLAST's names; `std` is
            the usual twelve. Default: 'std'.
        delim (str | Unset): Of tab, csv, 7 and 10: what stands between cells, instead of tab or
            comma. Default: ''.
        spreadsheet (bool | Unset): Of tab, csv, 7 and 10: put `'` before text that spreadsheets
            take for a formula. Default: False.
        query (int | None | Unset): Only this query's part, from 1.
        hits (None | str | Unset): Only the hits of these ranks, as 1,5,9-12; of several queries
            name one, too.
        page_size (int | None | Unset): Of json: so many of one query's hits at a time.
        page_token (str | Unset): `next_page_token` of the page before. Default: ''.
        if_none_match (None | str | Unset): The `ETag` of a reply that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem | SearchResult
    """

    return (
        await asyncio_detailed(
            search=search,
            client=client,
            format_=format_,
            columns=columns,
            delim=delim,
            spreadsheet=spreadsheet,
            query=query,
            hits=hits,
            page_size=page_size,
            page_token=page_token,
            if_none_match=if_none_match,
        )
    ).parsed
