from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.msa_databases import MsaDatabases
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    msas: str,
    *,
    chain: int | Unset = 1,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
    rows: int | Unset = 30,
    from_: int | Unset = 1,
    to: int | None | Unset = UNSET,
    width: int | Unset = 1000,
    if_none_match: None | str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_none_match, Unset):
        headers["if-none-match"] = if_none_match

    params: dict[str, Any] = {}

    params["chain"] = chain

    json_of: str | Unset = UNSET
    if not isinstance(of, Unset):
        json_of = of

    params["of"] = json_of

    params["pairs"] = pairs

    params["rows"] = rows

    params["from"] = from_

    json_to: int | None | Unset
    if isinstance(to, Unset):
        json_to = UNSET
    else:
        json_to = to
    params["to"] = json_to

    params["width"] = width

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/msas/{msas}/figures/rows.svg".format(
            msas=quote(str(msas), safe=""),
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
    msas: str,
    *,
    client: AuthenticatedClient,
    chain: int | Unset = 1,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
    rows: int | Unset = 30,
    from_: int | Unset = 1,
    to: int | None | Unset = UNSET,
    width: int | Unset = 1000,
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | Problem]:
    """Get Msa Rows Figure

     Draw rows of a chain's MSA, coloured by what residues are like, with the conservation of each
    column.

    Args:
        msas (str):
        chain (int | Unset): Of this chain, from 1. Default: 1.
        of (MsaDatabases | Unset):
        pairs (bool | Unset): Only rows that are paired: row by row of one organism in all chains
            of a complex. Default: False.
        rows (int | Unset): So many rows, the best, below the query. Default: 30.
        from_ (int | Unset): From this position of the query. Default: 1.
        to (int | None | Unset): To this one: 1,000 at most. Default: 300 positions.
        width (int | Unset): Of the picture, in pixels. Default: 1000.
        if_none_match (None | str | Unset): The `ETag` of a picture that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem]
    """

    kwargs = _get_kwargs(
        msas=msas,
        chain=chain,
        of=of,
        pairs=pairs,
        rows=rows,
        from_=from_,
        to=to,
        width=width,
        if_none_match=if_none_match,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    msas: str,
    *,
    client: AuthenticatedClient,
    chain: int | Unset = 1,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
    rows: int | Unset = 30,
    from_: int | Unset = 1,
    to: int | None | Unset = UNSET,
    width: int | Unset = 1000,
    if_none_match: None | str | Unset = UNSET,
) -> Any | Problem | None:
    """Get Msa Rows Figure

     Draw rows of a chain's MSA, coloured by what residues are like, with the conservation of each
    column.

    Args:
        msas (str):
        chain (int | Unset): Of this chain, from 1. Default: 1.
        of (MsaDatabases | Unset):
        pairs (bool | Unset): Only rows that are paired: row by row of one organism in all chains
            of a complex. Default: False.
        rows (int | Unset): So many rows, the best, below the query. Default: 30.
        from_ (int | Unset): From this position of the query. Default: 1.
        to (int | None | Unset): To this one: 1,000 at most. Default: 300 positions.
        width (int | Unset): Of the picture, in pixels. Default: 1000.
        if_none_match (None | str | Unset): The `ETag` of a picture that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem
    """

    return sync_detailed(
        msas=msas,
        client=client,
        chain=chain,
        of=of,
        pairs=pairs,
        rows=rows,
        from_=from_,
        to=to,
        width=width,
        if_none_match=if_none_match,
    ).parsed


async def asyncio_detailed(
    msas: str,
    *,
    client: AuthenticatedClient,
    chain: int | Unset = 1,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
    rows: int | Unset = 30,
    from_: int | Unset = 1,
    to: int | None | Unset = UNSET,
    width: int | Unset = 1000,
    if_none_match: None | str | Unset = UNSET,
) -> Response[Any | Problem]:
    """Get Msa Rows Figure

     Draw rows of a chain's MSA, coloured by what residues are like, with the conservation of each
    column.

    Args:
        msas (str):
        chain (int | Unset): Of this chain, from 1. Default: 1.
        of (MsaDatabases | Unset):
        pairs (bool | Unset): Only rows that are paired: row by row of one organism in all chains
            of a complex. Default: False.
        rows (int | Unset): So many rows, the best, below the query. Default: 30.
        from_ (int | Unset): From this position of the query. Default: 1.
        to (int | None | Unset): To this one: 1,000 at most. Default: 300 positions.
        width (int | Unset): Of the picture, in pixels. Default: 1000.
        if_none_match (None | str | Unset): The `ETag` of a picture that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem]
    """

    kwargs = _get_kwargs(
        msas=msas,
        chain=chain,
        of=of,
        pairs=pairs,
        rows=rows,
        from_=from_,
        to=to,
        width=width,
        if_none_match=if_none_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    msas: str,
    *,
    client: AuthenticatedClient,
    chain: int | Unset = 1,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
    rows: int | Unset = 30,
    from_: int | Unset = 1,
    to: int | None | Unset = UNSET,
    width: int | Unset = 1000,
    if_none_match: None | str | Unset = UNSET,
) -> Any | Problem | None:
    """Get Msa Rows Figure

     Draw rows of a chain's MSA, coloured by what residues are like, with the conservation of each
    column.

    Args:
        msas (str):
        chain (int | Unset): Of this chain, from 1. Default: 1.
        of (MsaDatabases | Unset):
        pairs (bool | Unset): Only rows that are paired: row by row of one organism in all chains
            of a complex. Default: False.
        rows (int | Unset): So many rows, the best, below the query. Default: 30.
        from_ (int | Unset): From this position of the query. Default: 1.
        to (int | None | Unset): To this one: 1,000 at most. Default: 300 positions.
        width (int | Unset): Of the picture, in pixels. Default: 1000.
        if_none_match (None | str | Unset): The `ETag` of a picture that is still there.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem
    """

    return (
        await asyncio_detailed(
            msas=msas,
            client=client,
            chain=chain,
            of=of,
            pairs=pairs,
            rows=rows,
            from_=from_,
            to=to,
            width=width,
            if_none_match=if_none_match,
        )
    ).parsed
