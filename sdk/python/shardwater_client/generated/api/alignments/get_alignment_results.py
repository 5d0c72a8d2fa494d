from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.alignment_result import AlignmentResult
from ...models.pair_format import PairFormat
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    alignment: str,
    *,
    format_: None | PairFormat | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    pairs: None | str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_format_: None | str | Unset
    if isinstance(format_, Unset):
        json_format_ = UNSET
    elif isinstance(format_, str):
        json_format_ = format_
    else:
        json_format_ = format_
    params["format"] = json_format_

    json_columns: None | str | Unset
    if isinstance(columns, Unset):
        json_columns = UNSET
    else:
        json_columns = columns
    params["columns"] = json_columns

    json_pairs: None | str | Unset
    if isinstance(pairs, Unset):
        json_pairs = UNSET
    else:
        json_pairs = pairs
    params["pairs"] = json_pairs

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/alignments/{alignment}/results".format(
            alignment=quote(str(alignment), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> AlignmentResult | Problem | None:
    if response.status_code == 200:
        response_200 = AlignmentResult.from_dict(response.json())

        return response_200

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

    if response.status_code == 429:
        response_429 = Problem.from_dict(response.json())

        return response_429

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
) -> Response[AlignmentResult | Problem]:
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
    format_: None | PairFormat | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    pairs: None | str | Unset = UNSET,
) -> Response[AlignmentResult | Problem]:
    """Get Alignment Results

     Get the pairs of a job; but for `ndjson`, once it has succeeded.

    Args:
        alignment (str):
        format_ (None | PairFormat | Unset): How they are written. Default: as `Accept` says.
        columns (None | str | Unset): Of tab: its columns, by comma. Default: all usual ones.
        pairs (None | str | Unset): Only these pairs, as 17 or 1-200: they count from 1, in the
            job's order.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AlignmentResult | Problem]
    """

    kwargs = _get_kwargs(
        alignment=alignment,
        format_=format_,
        columns=columns,
        pairs=pairs,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    alignment: str,
    *,
    client: AuthenticatedClient,
    format_: None | PairFormat | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    pairs: None | str | Unset = UNSET,
) -> AlignmentResult | Problem | None:
    """Get Alignment Results

     Get the pairs of a job; but for `ndjson`, once it has succeeded.

    Args:
        alignment (str):
        format_ (None | PairFormat | Unset): How they are written. Default: as `Accept` says.
        columns (None | str | Unset): Of tab: its columns, by comma. Default: all usual ones.
        pairs (None | str | Unset): Only these pairs, as 17 or 1-200: they count from 1, in the
            job's order.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AlignmentResult | Problem
    """

    return sync_detailed(
        alignment=alignment,
        client=client,
        format_=format_,
        columns=columns,
        pairs=pairs,
    ).parsed


async def asyncio_detailed(
    alignment: str,
    *,
    client: AuthenticatedClient,
    format_: None | PairFormat | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    pairs: None | str | Unset = UNSET,
) -> Response[AlignmentResult | Problem]:
    """Get Alignment Results

     Get the pairs of a job; but for `ndjson`, once it has succeeded.

    Args:
        alignment (str):
        format_ (None | PairFormat | Unset): How they are written. Default: as `Accept` says.
        columns (None | str | Unset): Of tab: its columns, by comma. Default: all usual ones.
        pairs (None | str | Unset): Only these pairs, as 17 or 1-200: they count from 1, in the
            job's order.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AlignmentResult | Problem]
    """

    kwargs = _get_kwargs(
        alignment=alignment,
        format_=format_,
        columns=columns,
        pairs=pairs,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    alignment: str,
    *,
    client: AuthenticatedClient,
    format_: None | PairFormat | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    pairs: None | str | Unset = UNSET,
) -> AlignmentResult | Problem | None:
    """Get Alignment Results

     Get the pairs of a job; but for `ndjson`, once it has succeeded.

    Args:
        alignment (str):
        format_ (None | PairFormat | Unset): How they are written. Default: as `Accept` says.
        columns (None | str | Unset): Of tab: its columns, by comma. Default: all usual ones.
        pairs (None | str | Unset): Only these pairs, as 17 or 1-200: they count from 1, in the
            job's order.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AlignmentResult | Problem
    """

    return (
        await asyncio_detailed(
            alignment=alignment,
            client=client,
            format_=format_,
            columns=columns,
            pairs=pairs,
        )
    ).parsed
