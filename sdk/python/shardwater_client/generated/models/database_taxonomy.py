from typing import Literal, cast

DatabaseTaxonomy = Literal["none", "taxids", "tree"]


def check_database_taxonomy(value: str) -> DatabaseTaxonomy:
    """The value as it was sent; a newer server may know more of them."""
    return cast(DatabaseTaxonomy, value)
