"""The page at `/`: what this server holds and where its interface is described."""

from html import escape

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.routes.databases import describe
from app.schemas import DatabaseInfo
from app.service import CurrentService
from shardwater.software import software

router = APIRouter(include_in_schema=False)


@router.get("/")
def get_page(service: CurrentService) -> HTMLResponse:
    """The databases as a table, and the addresses of the interface."""
    found = [describe(service, service.database(name)) for name in service.catalog.names()]
    rows = "\n".join(_row(database) for database in found)
    return HTMLResponse(
        f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shardwater</title></head>
<body>
<h1>Shardwater {escape(software().version)}</h1>
<p>Exact Smith-Waterman search of protein databases.</p>
<table>
<tr><th>Database</th><th>Version</th><th>Sequences</th><th>Residues</th><th>State</th><th>Title</th></tr>
{rows}
</table>
<p>The interface: <a href="openapi.json">openapi.json</a>, <a href="v1/service-info">service and limits</a>,
<a href="v1/parameters">parameters</a>, <a href="v1/databases">databases</a>, <a href="v1/searches">searches</a>.</p>
</body>
</html>
"""
    )


def _row(database: DatabaseInfo) -> str:
    cells = (
        database.name,
        database.version,
        f"{database.sequences:,}",
        f"{database.residues:,}",
        database.state,
        database.title,
    )
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
