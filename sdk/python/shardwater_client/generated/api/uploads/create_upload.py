from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.upload import Upload
from ...models.upload_kind import UploadKind
from ...types import UNSET, File, Response, Unset


def _get_kwargs(
    *,
    body: File,
    alphabet: None | Unset | UploadKind = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    params: dict[str, Any] = {}

    json_alphabet: None | str | Unset
    if isinstance(alphabet, Unset):
        json_alphabet = UNSET
    elif isinstance(alphabet, str):
        json_alphabet = alphabet
    else:
        json_alphabet = alphabet
    params["alphabet"] = json_alphabet

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/uploads",
        "params": params,
    }

    _kwargs["content"] = body.payload
    headers["Content-Type"] = "application/octet-stream"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Upload | None:
    if response.status_code == 200:
        response_200 = Upload.from_dict(response.json())

        return response_200

    if response.status_code == 201:
        response_201 = Upload.from_dict(response.json())

        return response_201

    if response.status_code == 401:
        response_401 = Problem.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Problem.from_dict(response.json())

        return response_403

    if response.status_code == 413:
        response_413 = Problem.from_dict(response.json())

        return response_413

    if response.status_code == 415:
        response_415 = Problem.from_dict(response.json())

        return response_415

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

    if response.status_code == 507:
        response_507 = Problem.from_dict(response.json())

        return response_507

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
    *,
    client: AuthenticatedClient,
    body: File,
    alphabet: None | Unset | UploadKind = UNSET,
) -> Response[Problem | Upload]:
    """Create Upload

     Upload FASTA or FASTQ; it is checked as it comes.

    Args:
        alphabet (None | Unset | UploadKind): What the letters are. Where it is not said: `dna`
            where DNA has them all and 90 % are A, C, G, T, U or N, else `protein`.
        body (File): FASTA or FASTQ as it stands in its file, plain or gzip, which its first bytes
            tell. Content-Type may also be one of application/gzip, application/x-gzip, text/x-fasta,
            text/x-fastq, text/plain.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Upload]
    """

    kwargs = _get_kwargs(
        body=body,
        alphabet=alphabet,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: File,
    alphabet: None | Unset | UploadKind = UNSET,
) -> Problem | Upload | None:
    """Create Upload

     Upload FASTA or FASTQ; it is checked as it comes.

    Args:
        alphabet (None | Unset | UploadKind): What the letters are. Where it is not said: `dna`
            where DNA has them all and 90 % are A, C, G, T, U or N, else `protein`.
        body (File): FASTA or FASTQ as it stands in its file, plain or gzip, which its first bytes
            tell. Content-Type may also be one of application/gzip, application/x-gzip, text/x-fasta,
            text/x-fastq, text/plain.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Upload
    """

    return sync_detailed(
        client=client,
        body=body,
        alphabet=alphabet,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: File,
    alphabet: None | Unset | UploadKind = UNSET,
) -> Response[Problem | Upload]:
    """Create Upload

     Upload FASTA or FASTQ; it is checked as it comes.

    Args:
        alphabet (None | Unset | UploadKind): What the letters are. Where it is not said: `dna`
            where DNA has them all and 90 % are A, C, G, T, U or N, else `protein`.
        body (File): FASTA or FASTQ as it stands in its file, plain or gzip, which its first bytes
            tell. Content-Type may also be one of application/gzip, application/x-gzip, text/x-fasta,
            text/x-fastq, text/plain.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Upload]
    """

    kwargs = _get_kwargs(
        body=body,
        alphabet=alphabet,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: File,
    alphabet: None | Unset | UploadKind = UNSET,
) -> Problem | Upload | None:
    """Create Upload

     Upload FASTA or FASTQ; it is checked as it comes.

    Args:
        alphabet (None | Unset | UploadKind): What the letters are. Where it is not said: `dna`
            where DNA has them all and 90 % are A, C, G, T, U or N, else `protein`.
        body (File): FASTA or FASTQ as it stands in its file, plain or gzip, which its first bytes
            tell. Content-Type may also be one of application/gzip, application/x-gzip, text/x-fasta,
            text/x-fastq, text/plain.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Upload
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            alphabet=alphabet,
        )
    ).parsed
