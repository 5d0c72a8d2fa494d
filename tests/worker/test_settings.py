"""Settings from an environment: defaults that work on a laptop, and bad values that name themselves."""

import os
from pathlib import Path

import pytest

from worker.jobs.limits import Limits
from worker.jobs.submission import Retention
from worker.settings import Settings, SettingsError


def test_empty_environment_gives_the_defaults() -> None:
    settings = Settings.from_env({"PATH": "/bin", "OTHER_PORT": "1"})
    assert settings == Settings()
    assert (settings.host, settings.port, settings.data) == ("127.0.0.1", 8000, Path("data"))
    assert settings.limits == Limits()
    assert settings.retention == Retention(search_s=604_800, job_timeout_s=3600)


def test_variables_are_read_in_their_fields_types() -> None:
    settings = Settings.from_env(
        {
            "SHARDWATER_REDIS_URL": "redis://:secret@queue.lab:6379/0",
            "SHARDWATER_DATA": "/srv/databases",
            "SHARDWATER_PORT": "0",
            "SHARDWATER_RETENTION_S": "60",
            "SHARDWATER_JOB_TIMEOUT_S": "5",
            "SHARDWATER_LOG_LEVEL": "INFO",
            "SHARDWATER_MAX_QUERIES": "7",
            "SHARDWATER_MAX_HITS": "8",
        }
    )
    assert settings.redis_url == "redis://:secret@queue.lab:6379/0"
    assert (settings.data, settings.port, settings.log_level) == (Path("/srv/databases"), 0, "info")
    assert settings.retention == Retention(search_s=60, job_timeout_s=5)
    assert (settings.limits.max_queries, settings.limits.max_hits) == (7, 8)
    assert settings.limits.max_query_length == 50_000


@pytest.mark.parametrize("key", ["sw_secret\r", "sw_secret\n", " sw_secret", "sw_s\xe9cret"])
def test_key_that_can_be_none_is_not_repeated(key: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({"SHARDWATER_API_KEY": key})
    assert str(caught.value).startswith("SHARDWATER_API_KEY has characters that are in no key")
    assert "sw_" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "needed"),
    [
        ("SHARDWATER_PORT", "banana", "a whole number from 0 to 65535"),
        ("SHARDWATER_PORT", "65536", "to 65535"),
        ("SHARDWATER_PORT", "-1", "a whole number"),
        ("SHARDWATER_PORT", "", "a whole number"),
        ("SHARDWATER_PORT", "８０", "a whole number"),
        ("SHARDWATER_RETENTION_S", "0", "from 1"),
        ("SHARDWATER_MAX_QUERIES", "1e3", "a whole number"),
        ("SHARDWATER_MAX_BODY_BYTES", "16 MB", "a whole number"),
        ("SHARDWATER_LOG_LEVEL", "loud", "debug, info, warning, error"),
        ("SHARDWATER_LOG_FORMAT", "xml", "text, json"),
        ("SHARDWATER_SCHEDULE", "fastest", "strips, simt, striped"),
        ("SHARDWATER_COLABFOLD_UNIREF", "uniref 30", "the name of a database"),
        ("SHARDWATER_COLABFOLD_ENV", "../env", "the name of a database"),
    ],
)
def test_bad_value_names_itself(name: str, value: str, needed: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({name: value})
    assert str(caught.value).startswith(f"{name} is {value!r}")
    assert needed in str(caught.value)


@pytest.mark.parametrize("name", ["max_streams", "max_streams_per_owner"])
def test_streams_may_be_of_any_number(name: str) -> None:
    assert getattr(Settings.from_env({f"SHARDWATER_{name.upper()}": "0"}), name) == 0
    assert getattr(Settings(), name) > 0


@pytest.mark.parametrize("name", ["SHARDWATER_THREADS", "SHARDWATER_SUPERVISOR"])
def test_none_is_a_number_where_it_is_the_default(name: str) -> None:
    assert Settings.from_env({name: "0"}) == Settings()


def test_no_redis_is_told_only_when_it_is_needed() -> None:
    with pytest.raises(SettingsError, match="SHARDWATER_REDIS_URL"):
        Settings().connect()


def test_process_is_orphaned_when_its_supervisor_is_not_its_parent() -> None:
    assert Settings().orphaned is False
    assert Settings(supervisor=os.getppid()).orphaned is False
    assert Settings(supervisor=os.getpid()).orphaned is True
