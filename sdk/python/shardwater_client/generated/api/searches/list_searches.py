import datetime
from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.search_page import SearchPage
from ...models.search_state import SearchState
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    id: list[str] | None | Unset = UNSET,
    state: None | SearchState | Unset = UNSET,
    created_after: datetime.datetime | None | Unset = UNSET,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_id: list[str] | None | Unset
    if isinstance(id, Unset):
        json_id = UNSET
    elif isinstance(id, list):
        json_id = id

    else:
        json_id = id
    params["id"] = json_id

    json_state: None | str | Unset
    if isinstance(state, Unset):
        json_state = UNSET
    elif isinstance(state, str):
        json_state = state
    else:
        json_state = state
    params["state"] = json_state

    json_created_after: None | str | Unset
    if isinstance(created_after, Unset):
        json_created_after = UNSET
    elif isinstance(created_after, datetime.datetime):
        json_created_after = created_after.isoformat()
    else:
        json_created_after = created_after
    params["created_after"] = json_created_after

    params["page_size"] = page_size

    params["page_token"] = page_token

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/searches",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | SearchPage | None:
    if response.status_code == 200:
        response_200 = SearchPage.from_dict(response.json())

        return response_200

    if response.status_code == 401:
        response_401 = Problem.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Problem.from_dict(response.json())

        return response_403

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
) -> Response[Problem | SearchPage]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    id: list[str] | None | Unset = UNSET,
    state: None | SearchState | Unset = UNSET,
    created_after: datetime.datetime | None | Unset = UNSET,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> Response[Problem | SearchPage]:
    """List All Searches

     List searches, newest first, or look at many at once.

    Args:
        id (list[str] | None | Unset): Only these.
        state (None | SearchState | Unset): Only jobs in this state. A page may be empty and still
            have a next page.
        created_after (datetime.datetime | None | Unset): Only younger ones; RFC 3339, UTC if no
            zone.
        page_size (int | Unset):  Default: 100.
        page_token (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SearchPage]
    """

    kwargs = _get_kwargs(
        id=id,
        state=state,
        created_after=created_after,
        page_size=page_size,
        page_token=page_token,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    id: list[str] | None | Unset = UNSET,
    state: None | SearchState | Unset = UNSET,
    created_after: datetime.datetime | None | Unset = UNSET,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> Problem | SearchPage | None:
    """List All Searches

     List searches, newest first, or look at many at once.

    Args:
        id (list[str] | None | Unset): Only these.
        state (None | SearchState | Unset): Only jobs in this state. A page may be empty and still
            have a next page.
        created_after (datetime.datetime | None | Unset): Only younger ones; RFC 3339, UTC if no
            zone.
        page_size (int | Unset):  Default: 100.
        page_token (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SearchPage
    """

    return sync_detailed(
        client=client,
        id=id,
        state=state,
        created_after=created_after,
        page_size=page_size,
        page_token=page_token,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    id: list[str] | None | Unset = UNSET,
    state: None | SearchState | Unset = UNSET,
    created_after: datetime.datetime | None | Unset = UNSET,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> Response[Problem | SearchPage]:
    """List All Searches

     List searches, newest first, or look at many at once.

    Args:
        id (list[str] | None | Unset): Only these.
        state (None | SearchState | Unset): Only jobs in this state. A page may be empty and still
            have a next page.
        created_after (datetime.datetime | None | Unset): Only younger ones; RFC 3339, UTC if no
            zone.
        page_size (int | Unset):  Default: 100.
        page_token (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SearchPage]
    """

    kwargs = _get_kwargs(
        id=id,
        state=state,
        created_after=created_after,
        page_size=page_size,
        page_token=page_token,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    id: list[str] | None | Unset = UNSET,
    state: None | SearchState | Unset = UNSET,
    created_after: datetime.datetime | None | Unset = UNSET,
    page_size: int | Unset = 100,
    page_token: str | Unset = "",
) -> Problem | SearchPage | None:
    """List All Searches

     List searches, newest first, or look at many at once.

    Args:
        id (list[str] | None | Unset): Only these.
        state (None | SearchState | Unset): Only jobs in this state. A page may be empty and still
            have a next page.
        created_after (datetime.datetime | None | Unset): Only younger ones; RFC 3339, UTC if no
            zone.
        page_size (int | Unset):  Default: 100.
        page_token (str | Unset):  Default: ''.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SearchPage
    """

    return (
        await asyncio_detailed(
            client=client,
            id=id,
            state=state,
            created_after=created_after,
            page_size=page_size,
            page_token=page_token,
        )
    ).parsed
