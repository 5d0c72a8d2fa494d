from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.upload import Upload
from ...types import Response


def _get_kwargs(
    upload: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/uploads/{upload}".format(
            upload=quote(str(upload), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Upload | None:
    if response.status_code == 200:
        response_200 = Upload.from_dict(response.json())

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


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Upload]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    upload: str,
    *,
    client: AuthenticatedClient,
) -> Response[Problem | Upload]:
    """Get Upload

     See what was uploaded, and until when it is kept.

    Args:
        upload (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Upload]
    """

    kwargs = _get_kwargs(
        upload=upload,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    upload: str,
    *,
    client: AuthenticatedClient,
) -> Problem | Upload | None:
    """Get Upload

     See what was uploaded, and until when it is kept.

    Args:
        upload (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Upload
    """

    return sync_detailed(
        upload=upload,
        client=client,
    ).parsed


async def asyncio_detailed(
    upload: str,
    *,
    client: AuthenticatedClient,
) -> Response[Problem | Upload]:
    """Get Upload

     See what was uploaded, and until when it is kept.

    Args:
        upload (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Upload]
    """

    kwargs = _get_kwargs(
        upload=upload,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    upload: str,
    *,
    client: AuthenticatedClient,
) -> Problem | Upload | None:
    """Get Upload

     See what was uploaded, and until when it is kept.

    Args:
        upload (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Upload
    """

    return (
        await asyncio_detailed(
            upload=upload,
            client=client,
        )
    ).parsed
