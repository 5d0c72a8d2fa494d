"""Routers whose routes the app takes as they are.

To include a router in an app would build each of its routes anew, and look for the one of a request twice.
"""

from typing import Any

from fastapi import APIRouter, Depends

from app.middleware.access_log import operation_id
from app.requests.query_parameters import known_parameters


def new_router(**options: Any) -> APIRouter:
    """A router with these options of APIRouter's: its routes refuse parameters that they do not know."""
    return APIRouter(dependencies=[Depends(known_parameters)], generate_unique_id_function=operation_id, **options)
