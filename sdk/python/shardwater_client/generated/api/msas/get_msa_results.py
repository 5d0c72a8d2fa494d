from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.msa_databases import MsaDatabases
from ...models.msa_format import MsaFormat
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    msas: str,
    *,
    format_: MsaFormat | None | Unset = UNSET,
    chain: int | None | Unset = UNSET,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
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

    json_chain: int | None | Unset
    if isinstance(chain, Unset):
        json_chain = UNSET
    else:
        json_chain = chain
    params["chain"] = json_chain

    json_of: str | Unset = UNSET
    if not isinstance(of, Unset):
        json_of = of

    params["of"] = json_of

    params["pairs"] = pairs

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/msas/{msas}/results".format(
            msas=quote(str(msas), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | str | None:
    if response.status_code == 200:
        response_200 = response.text
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


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | str]:
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
    format_: MsaFormat | None | Unset = UNSET,
    chain: int | None | Unset = UNSET,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
) -> Response[Problem | str]:
    """Get Msa Results

     Get MSAs, once the job has succeeded.

    Args:
        msas (str):
        format_ (MsaFormat | None | Unset): How they are written. Default: as `Accept` says.
        chain (int | None | Unset): Only that of this chain, from 1.
        of (MsaDatabases | Unset):
        pairs (bool | Unset): Only rows that are paired: row by row of one organism in all chains
            of a complex. Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | str]
    """

    kwargs = _get_kwargs(
        msas=msas,
        format_=format_,
        chain=chain,
        of=of,
        pairs=pairs,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    msas: str,
    *,
    client: AuthenticatedClient,
    format_: MsaFormat | None | Unset = UNSET,
    chain: int | None | Unset = UNSET,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
) -> Problem | str | None:
    """Get Msa Results

     Get MSAs, once the job has succeeded.

    Args:
        msas (str):
        format_ (MsaFormat | None | Unset): How they are written. Default: as `Accept` says.
        chain (int | None | Unset): Only that of this chain, from 1.
        of (MsaDatabases | Unset):
        pairs (bool | Unset): Only rows that are paired: row by row of one organism in all chains
            of a complex. Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | str
    """

    return sync_detailed(
        msas=msas,
        client=client,
        format_=format_,
        chain=chain,
        of=of,
        pairs=pairs,
    ).parsed


async def asyncio_detailed(
    msas: str,
    *,
    client: AuthenticatedClient,
    format_: MsaFormat | None | Unset = UNSET,
    chain: int | None | Unset = UNSET,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
) -> Response[Problem | str]:
    """Get Msa Results

     Get MSAs, once the job has succeeded.

    Args:
        msas (str):
        format_ (MsaFormat | None | Unset): How they are written. Default: as `Accept` says.
        chain (int | None | Unset): Only that of this chain, from 1.
        of (MsaDatabases | Unset):
        pairs (bool | Unset): Only rows that are paired: row by row of one organism in all chains
            of a complex. Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | str]
    """

    kwargs = _get_kwargs(
        msas=msas,
        format_=format_,
        chain=chain,
        of=of,
        pairs=pairs,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    msas: str,
    *,
    client: AuthenticatedClient,
    format_: MsaFormat | None | Unset = UNSET,
    chain: int | None | Unset = UNSET,
    of: MsaDatabases | Unset = UNSET,
    pairs: bool | Unset = False,
) -> Problem | str | None:
    """Get Msa Results

     Get MSAs, once the job has succeeded.

    Args:
        msas (str):
        format_ (MsaFormat | None | Unset): How they are written. Default: as `Accept` says.
        chain (int | None | Unset): Only that of this chain, from 1.
        of (MsaDatabases | Unset):
        pairs (bool | Unset): Only rows that are paired: row by row of one organism in all chains
            of a complex. Default: False.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | str
    """

    return (
        await asyncio_detailed(
            msas=msas,
            client=client,
            format_=format_,
            chain=chain,
            of=of,
            pairs=pairs,
        )
    ).parsed
