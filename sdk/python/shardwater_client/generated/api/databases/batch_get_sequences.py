from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.sequence_batch import SequenceBatch
from ...models.sequence_format import SequenceFormat
from ...models.sequence_list import SequenceList
from ...types import UNSET, Response, Unset


def _get_kwargs(
    name: str,
    *,
    body: SequenceBatch,
    format_: None | SequenceFormat | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

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
        "method": "post",
        "url": "/v1/databases/{name}/sequences:batchGet".format(
            name=quote(str(name), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | SequenceList | None:
    if response.status_code == 200:
        response_200 = SequenceList.from_dict(response.json())

        return response_200

    if response.status_code == 400:
        response_400 = Problem.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Problem.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Problem.from_dict(response.json())

        return response_403

    if response.status_code == 404:
        response_404 = Problem.from_dict(response.json())

        return response_404

    if response.status_code == 413:
        response_413 = Problem.from_dict(response.json())

        return response_413

    if response.status_code == 415:
        response_415 = Problem.from_dict(response.json())

        return response_415

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
) -> Response[Problem | SequenceList]:
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
    body: SequenceBatch,
    format_: None | SequenceFormat | Unset = UNSET,
) -> Response[Problem | SequenceList]:
    """Batch Get Sequences

     Get many sequences at once, in the order in which they are asked for: all of them, or none.

    Args:
        name (str):
        format_ (None | SequenceFormat | Unset): Instead of Accept.
        body (SequenceBatch): Which sequences of a database are wanted.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SequenceList]
    """

    kwargs = _get_kwargs(
        name=name,
        body=body,
        format_=format_,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    name: str,
    *,
    client: AuthenticatedClient,
    body: SequenceBatch,
    format_: None | SequenceFormat | Unset = UNSET,
) -> Problem | SequenceList | None:
    """Batch Get Sequences

     Get many sequences at once, in the order in which they are asked for: all of them, or none.

    Args:
        name (str):
        format_ (None | SequenceFormat | Unset): Instead of Accept.
        body (SequenceBatch): Which sequences of a database are wanted.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SequenceList
    """

    return sync_detailed(
        name=name,
        client=client,
        body=body,
        format_=format_,
    ).parsed


async def asyncio_detailed(
    name: str,
    *,
    client: AuthenticatedClient,
    body: SequenceBatch,
    format_: None | SequenceFormat | Unset = UNSET,
) -> Response[Problem | SequenceList]:
    """Batch Get Sequences

     Get many sequences at once, in the order in which they are asked for: all of them, or none.

    Args:
        name (str):
        format_ (None | SequenceFormat | Unset): Instead of Accept.
        body (SequenceBatch): Which sequences of a database are wanted.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SequenceList]
    """

    kwargs = _get_kwargs(
        name=name,
        body=body,
        format_=format_,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    name: str,
    *,
    client: AuthenticatedClient,
    body: SequenceBatch,
    format_: None | SequenceFormat | Unset = UNSET,
) -> Problem | SequenceList | None:
    """Batch Get Sequences

     Get many sequences at once, in the order in which they are asked for: all of them, or none.

    Args:
        name (str):
        format_ (None | SequenceFormat | Unset): Instead of Accept.
        body (SequenceBatch): Which sequences of a database are wanted.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SequenceList
    """

    return (
        await asyncio_detailed(
            name=name,
            client=client,
            body=body,
            format_=format_,
        )
    ).parsed
