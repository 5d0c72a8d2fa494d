from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.sequence_page import SequencePage
from ...types import UNSET, Response, Unset


def _get_kwargs(
    name: str,
    *,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["page_size"] = page_size

    params["page_token"] = page_token

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/databases/{name}/sequences".format(
            name=quote(str(name), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | SequencePage | None:
    if response.status_code == 200:
        response_200 = SequencePage.from_dict(response.json())

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
) -> Response[Problem | SequencePage]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    name: str,
    *,
    client: AuthenticatedClient,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> Response[Problem | SequencePage]:
    """List Sequences

     List a database's sequences by accession, title and length, the shortest first.

    Args:
        name (str):
        page_size (int | Unset):  Default: 100.
        page_token (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SequencePage]
    """

    kwargs = _get_kwargs(
        name=name,
        page_size=page_size,
        page_token=page_token,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    name: str,
    *,
    client: AuthenticatedClient,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> Problem | SequencePage | None:
    """List Sequences

     List a database's sequences by accession, title and length, the shortest first.

    Args:
        name (str):
        page_size (int | Unset):  Default: 100.
        page_token (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SequencePage
    """

    return sync_detailed(
        name=name,
        client=client,
        page_size=page_size,
        page_token=page_token,
    ).parsed


async def asyncio_detailed(
    name: str,
    *,
    client: AuthenticatedClient,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> Response[Problem | SequencePage]:
    """List Sequences

     List a database's sequences by accession, title and length, the shortest first.

    Args:
        name (str):
        page_size (int | Unset):  Default: 100.
        page_token (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SequencePage]
    """

    kwargs = _get_kwargs(
        name=name,
        page_size=page_size,
        page_token=page_token,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    name: str,
    *,
    client: AuthenticatedClient,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> Problem | SequencePage | None:
    """List Sequences

     List a database's sequences by accession, title and length, the shortest first.

    Args:
        name (str):
        page_size (int | Unset):  Default: 100.
        page_token (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SequencePage
    """

    return (
        await asyncio_detailed(
            name=name,
            client=client,
            page_size=page_size,
            page_token=page_token,
        )
    ).parsed
