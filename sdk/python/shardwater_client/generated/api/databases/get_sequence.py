from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.sequence import Sequence
from ...models.sequence_format import SequenceFormat
from ...types import UNSET, Response, Unset


def _get_kwargs(
    name: str,
    accession: str,
    *,
    format_: None | SequenceFormat | Unset = UNSET,
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

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/databases/{name}/sequences/{accession}".format(
            name=quote(str(name), safe=""),
            accession=quote(str(accession), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Sequence | None:
    if response.status_code == 200:
        response_200 = Sequence.from_dict(response.json())

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


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Sequence]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    name: str,
    accession: str,
    *,
    client: AuthenticatedClient,
    format_: None | SequenceFormat | Unset = UNSET,
) -> Response[Problem | Sequence]:
    """Get Sequence

     Get a sequence, with its letters as they were; by P12345 `sp|P12345|NAME` too, by NC_002505
    NC_002505.1.

    Args:
        name (str):
        accession (str):
        format_ (None | SequenceFormat | Unset): Instead of Accept.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Sequence]
    """

    kwargs = _get_kwargs(
        name=name,
        accession=accession,
        format_=format_,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    name: str,
    accession: str,
    *,
    client: AuthenticatedClient,
    format_: None | SequenceFormat | Unset = UNSET,
) -> Problem | Sequence | None:
    """Get Sequence

     Get a sequence, with its letters as they were; by P12345 `sp|P12345|NAME` too, by NC_002505
    NC_002505.1.

    Args:
        name (str):
        accession (str):
        format_ (None | SequenceFormat | Unset): Instead of Accept.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Sequence
    """

    return sync_detailed(
        name=name,
        accession=accession,
        client=client,
        format_=format_,
    ).parsed


async def asyncio_detailed(
    name: str,
    accession: str,
    *,
    client: AuthenticatedClient,
    format_: None | SequenceFormat | Unset = UNSET,
) -> Response[Problem | Sequence]:
    """Get Sequence

     Get a sequence, with its letters as they were; by P12345 `sp|P12345|NAME` too, by NC_002505
    NC_002505.1.

    Args:
        name (str):
        accession (str):
        format_ (None | SequenceFormat | Unset): Instead of Accept.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Sequence]
    """

    kwargs = _get_kwargs(
        name=name,
        accession=accession,
        format_=format_,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    name: str,
    accession: str,
    *,
    client: AuthenticatedClient,
    format_: None | SequenceFormat | Unset = UNSET,
) -> Problem | Sequence | None:
    """Get Sequence

     Get a sequence, with its letters as they were; by P12345 `sp|P12345|NAME` too, by NC_002505
    NC_002505.1.

    Args:
        name (str):
        accession (str):
        format_ (None | SequenceFormat | Unset): Instead of Accept.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Sequence
    """

    return (
        await asyncio_detailed(
            name=name,
            accession=accession,
            client=client,
            format_=format_,
        )
    ).parsed
