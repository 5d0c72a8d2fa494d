from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.own_matrix import OwnMatrix
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    matrix: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/matrices/{matrix}".format(
            matrix=quote(str(matrix), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> OwnMatrix | Problem | None:
    if response.status_code == 200:
        response_200 = OwnMatrix.from_dict(response.json())

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


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[OwnMatrix | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    matrix: str,
    *,
    client: AuthenticatedClient,
) -> Response[OwnMatrix | Problem]:
    """Get Matrix

     See a matrix of your own, and until when it is kept.

    Args:
        matrix (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[OwnMatrix | Problem]
    """

    kwargs = _get_kwargs(
        matrix=matrix,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    matrix: str,
    *,
    client: AuthenticatedClient,
) -> OwnMatrix | Problem | None:
    """Get Matrix

     See a matrix of your own, and until when it is kept.

    Args:
        matrix (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        OwnMatrix | Problem
    """

    return sync_detailed(
        matrix=matrix,
        client=client,
    ).parsed


async def asyncio_detailed(
    matrix: str,
    *,
    client: AuthenticatedClient,
) -> Response[OwnMatrix | Problem]:
    """Get Matrix

     See a matrix of your own, and until when it is kept.

    Args:
        matrix (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[OwnMatrix | Problem]
    """

    kwargs = _get_kwargs(
        matrix=matrix,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    matrix: str,
    *,
    client: AuthenticatedClient,
) -> OwnMatrix | Problem | None:
    """Get Matrix

     See a matrix of your own, and until when it is kept.

    Args:
        matrix (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        OwnMatrix | Problem
    """

    return (
        await asyncio_detailed(
            matrix=matrix,
            client=client,
        )
    ).parsed
