from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.comparison_format import ComparisonFormat
from ...models.comparison_result import ComparisonResult
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    comparison: str,
    *,
    format_: ComparisonFormat | None | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    spreadsheet: bool | Unset = False,
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

    params["spreadsheet"] = spreadsheet

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/comparisons/{comparison}/results".format(
            comparison=quote(str(comparison), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ComparisonResult | Problem | None:
    if response.status_code == 200:
        response_200 = ComparisonResult.from_dict(response.json())

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
) -> Response[ComparisonResult | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    comparison: str,
    *,
    client: AuthenticatedClient,
    format_: ComparisonFormat | None | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    spreadsheet: bool | Unset = False,
) -> Response[ComparisonResult | Problem]:
    """Get Comparison Results

     Get all that two genomes share, once the comparison has succeeded.

    Args:
        comparison (str):
        format_ (ComparisonFormat | None | Unset): How they are written. Default: as `Accept`
            says.
        columns (None | str | Unset): Of tab: its columns, by comma. Default: all of them.
        spreadsheet (bool | Unset): Of tab: put `'` before names that spreadsheets take for a
            formula. Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ComparisonResult | Problem]
    """

    kwargs = _get_kwargs(
        comparison=comparison,
        format_=format_,
        columns=columns,
        spreadsheet=spreadsheet,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    comparison: str,
    *,
    client: AuthenticatedClient,
    format_: ComparisonFormat | None | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    spreadsheet: bool | Unset = False,
) -> ComparisonResult | Problem | None:
    """Get Comparison Results

     Get all that two genomes share, once the comparison has succeeded.

    Args:
        comparison (str):
        format_ (ComparisonFormat | None | Unset): How they are written. Default: as `Accept`
            says.
        columns (None | str | Unset): Of tab: its columns, by comma. Default: all of them.
        spreadsheet (bool | Unset): Of tab: put `'` before names that spreadsheets take for a
            formula. Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ComparisonResult | Problem
    """

    return sync_detailed(
        comparison=comparison,
        client=client,
        format_=format_,
        columns=columns,
        spreadsheet=spreadsheet,
    ).parsed


async def asyncio_detailed(
    comparison: str,
    *,
    client: AuthenticatedClient,
    format_: ComparisonFormat | None | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    spreadsheet: bool | Unset = False,
) -> Response[ComparisonResult | Problem]:
    """Get Comparison Results

     Get all that two genomes share, once the comparison has succeeded.

    Args:
        comparison (str):
        format_ (ComparisonFormat | None | Unset): How they are written. Default: as `Accept`
            says.
        columns (None | str | Unset): Of tab: its columns, by comma. Default: all of them.
        spreadsheet (bool | Unset): Of tab: put `'` before names that spreadsheets take for a
            formula. Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ComparisonResult | Problem]
    """

    kwargs = _get_kwargs(
        comparison=comparison,
        format_=format_,
        columns=columns,
        spreadsheet=spreadsheet,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    comparison: str,
    *,
    client: AuthenticatedClient,
    format_: ComparisonFormat | None | Unset = UNSET,
    columns: None | str | Unset = UNSET,
    spreadsheet: bool | Unset = False,
) -> ComparisonResult | Problem | None:
    """Get Comparison Results

     Get all that two genomes share, once the comparison has succeeded.

    Args:
        comparison (str):
        format_ (ComparisonFormat | None | Unset): How they are written. Default: as `Accept`
            says.
        columns (None | str | Unset): Of tab: its columns, by comma. Default: all of them.
        spreadsheet (bool | Unset): Of tab: put `'` before names that spreadsheets take for a
            formula. Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ComparisonResult | Problem
    """

    return (
        await asyncio_detailed(
            comparison=comparison,
            client=client,
            format_=format_,
            columns=columns,
            spreadsheet=spreadsheet,
        )
    ).parsed
