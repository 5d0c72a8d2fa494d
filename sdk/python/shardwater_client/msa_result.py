"""MSAs that are there, chain by chain."""

from os import PathLike
from typing import TYPE_CHECKING

from shardwater_client.generated.models import MsaChain, MsaColumns, MsaDatabases, MsaFormat, Msas

if TYPE_CHECKING:
    from shardwater_client.msa_client import AsyncMsaCalls, MsaCalls


class MsaResultData:
    """What was found for each chain: `chains` has them in the order in which they were sent."""

    def __init__(self, data: Msas) -> None:
        self.data = data

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.id}: {len(self.chains)} chains>"

    @property
    def id(self) -> str:
        """The job's id."""
        return self.data.id

    @property
    def chains(self) -> list[MsaChain]:
        """Each with its `number`, and the rows and rounds of each list of databases as `stages`."""
        return self.data.chains


class MsaResult(MsaResultData):
    """MSAs in every format."""

    def __init__(self, data: Msas, client: "MsaCalls") -> None:
        super().__init__(data)
        self._client = client

    def a3m(self, chain: int = 1, *, of: MsaDatabases = "databases", pairs: bool = False) -> str:
        """A chain's MSA as A3M, by its number from 1.

        `of="then"`: that by the second list of databases. `pairs`: only rows that are paired with those of the other
        chains of its complex.
        """
        return self.download(chain=chain, of=of, pairs=pairs).decode()

    def download(
        self,
        *,
        format: MsaFormat = "a3m",
        chain: int | None = None,
        of: MsaDatabases = "databases",
        pairs: bool = False,
    ) -> bytes:
        """One chain's MSA, or those of all, as `Client.download_msa`."""
        return self._client.download_msa(self.id, format=format, chain=chain, of=of, pairs=pairs)

    def save(
        self,
        path: str | PathLike[str],
        *,
        format: MsaFormat = "a3m",
        chain: int | None = None,
        of: MsaDatabases = "databases",
        pairs: bool = False,
    ) -> None:
        """The same into a file, as `Client.save_msa`."""
        self._client.save_msa(self.id, path, format=format, chain=chain, of=of, pairs=pairs)

    def columns(self, chain: int = 1, *, of: MsaDatabases = "databases", pairs: bool = False) -> MsaColumns:
        """What the columns of a chain's MSA have, as `Client.msa_columns`."""
        return self._client.msa_columns(self.id, chain=chain, of=of, pairs=pairs)


class AsyncMsaResult(MsaResultData):
    """`MsaResult` for asyncio: what goes to the server again is awaited."""

    def __init__(self, data: Msas, client: "AsyncMsaCalls") -> None:
        super().__init__(data)
        self._client = client

    async def a3m(self, chain: int = 1, *, of: MsaDatabases = "databases", pairs: bool = False) -> str:
        """As `MsaResult.a3m`."""
        return (await self.download(chain=chain, of=of, pairs=pairs)).decode()

    async def download(
        self,
        *,
        format: MsaFormat = "a3m",
        chain: int | None = None,
        of: MsaDatabases = "databases",
        pairs: bool = False,
    ) -> bytes:
        """As `MsaResult.download`."""
        return await self._client.download_msa(self.id, format=format, chain=chain, of=of, pairs=pairs)

    async def save(
        self,
        path: str | PathLike[str],
        *,
        format: MsaFormat = "a3m",
        chain: int | None = None,
        of: MsaDatabases = "databases",
        pairs: bool = False,
    ) -> None:
        """As `MsaResult.save`."""
        await self._client.save_msa(self.id, path, format=format, chain=chain, of=of, pairs=pairs)

    async def columns(self, chain: int = 1, *, of: MsaDatabases = "databases", pairs: bool = False) -> MsaColumns:
        """As `MsaResult.columns`."""
        return await self._client.msa_columns(self.id, chain=chain, of=of, pairs=pairs)
