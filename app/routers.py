"""What every file of routes begins with: a router whose routes have what all routes of the app have."""

from typing import Any

from fastapi import APIRouter, Depends

from app.middleware.access_log import operation_id
from app.requests.query_parameters import known_parameters


def new_router(**options: Any) -> APIRouter:
    """A router with these options of APIRouter's: its routes refuse parameters that they do not know."""
    return APIRouter(dependencies=[Depends(known_parameters)], generate_unique_id_function=operation_id, **options)
