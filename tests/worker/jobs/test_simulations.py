import pytest
from redis import Redis

from shardwater.statistics.karlin_altschul import KarlinAltschul, Simulated
from shardwater.statistics.passages import Moments
from shardwater.statistics.simulation import BLOCKS, Block
from worker.jobs.simulations import KEPT_S, Simulations

SIMULATED = Simulated(KarlinAltschul(0.3, 0.1, 0.25, 1.2, -6.0, 11.0, 11.5, -6.0, -150.0, -160.0), 0.001, 0.002)
LOW, HIGH = Moments(25, 0.1, 1.0, 2.0, 3.0, 4.0, 5.0), Moments(70, 1e-9, 1.0, 2.0, 3.0, 4.0, 1 / 3)
BLOCK = Block(((LOW,), (HIGH, HIGH)), (30, 41))


@pytest.fixture
def simulations(redis: Redis) -> Simulations:
    return Simulations(redis)


def test_nothing_is_known_at_first(simulations: Simulations) -> None:
    assert (simulations.known("a"), simulations.blocks("a"), simulations.left("a")) == (None, {}, BLOCKS)


def test_blocks_are_kept_until_the_parameters_are(simulations: Simulations, redis: Redis) -> None:
    simulations.keep_block("a", 3, BLOCK)
    simulations.keep_block("a", 3, BLOCK)
    assert simulations.blocks("a") == {3: BLOCK}
    assert (simulations.left("a"), simulations.left("b")) == (BLOCKS - 1, BLOCKS)
    simulations.keep("a", SIMULATED)
    assert (simulations.known("a"), simulations.blocks("a"), simulations.left("a")) == (SIMULATED, {}, 0)
    [key] = redis.keys("*")
    assert 0 < redis.ttl(key) <= KEPT_S


def test_blocks_that_are_begun_are_known_until_the_parameters_are(simulations: Simulations, redis: Redis) -> None:
    simulations.begin("a", 3)
    simulations.begin("a", 15)
    redis.sadd("shardwater:simulation-begun:a", "x")
    assert (simulations.begun("a"), simulations.begun("b")) == ({3, 15}, set())
    simulations.keep("a", SIMULATED)
    assert simulations.begun("a") == set()


def test_what_is_unreadable_is_simulated_anew(simulations: Simulations, redis: Redis) -> None:
    simulations.keep_block("a", 3, BLOCK)
    simulations.keep("b", SIMULATED)
    redis.hset("shardwater:simulation:a", mapping={"4": b"{", "x": b"{}"})
    redis.set("shardwater:simulated:b", b"[]")
    assert simulations.blocks("a") == {3: BLOCK}
    assert simulations.known("b") is None
