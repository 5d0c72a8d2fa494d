"""The databases of this server that stand for those which structure predictors know."""

from app.problems import NotHereError
from app.service import Service


def uniref_of(service: Service) -> str:
    """The one for UniRef; raises NotHereError where several are here and the operator has named none."""
    if named := service.settings.colabfold_uniref:
        return named
    names = [database.manifest.name for database in service.searchable()]
    if len(names) != 1:
        raise NotHereError("no database stands for UniRef here: the operator names one in SHARDWATER_COLABFOLD_UNIREF")
    return names[0]


def env_of(service: Service) -> str | None:
    """The one for the environmental database, where there is one."""
    return service.settings.colabfold_env or None
