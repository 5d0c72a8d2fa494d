"""What MSAs would take, told before they are sent: their chains, rounds and charges, and what is there already."""

from tests.support.server import Server

CHAINS = ["MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERF", "MSSSYYVNALFSKYTAGASLFQNAEPTSC"]


def test_an_estimate_counts_chains_that_differ_in_all_rounds(server: Server) -> None:
    # Each chain twice, in two rounds and then once more.
    body = {"queries": [{"chains": CHAINS}] * 2, "databases": ["demo"], "then": ["demo"], "iterations": 2}
    with server.http as http:
        [database] = http.get("/v1/databases").json()["items"]
        before = http.get("/v1/msas").json()["items"]
        reply = http.post("/v1/msas:estimate", json=body)
        assert (reply.status_code, reply.headers["Cache-Control"]) == (200, "no-store")
        told = reply.json()
        residues = sum(map(len, CHAINS))
        assert (told["chains"], told["residues"], told["reused"]) == (2, residues, False)
        assert told["cells"] == told["quota_cost"] == 3 * residues * database["residues"]
        assert told["seconds"] > 0
        # Nothing is queued.
        assert http.get("/v1/msas").json()["items"] == before

        made = http.post("/v1/msas", json=body, headers={"Prefer": "wait=60"})
        known = http.get(made.headers["Location"]).json()
        assert told["parameters"] == known["parameters"]
        again = http.post("/v1/msas:estimate", json=body).json()
        assert again["cells"] == told["cells"]
        assert (again["reused"], again["quota_cost"], again["seconds"], again["position"]) == (True, 0, 0, 0)
        # Of three chains one is not there.
        more = body | {"queries": [{"chains": [*CHAINS, "MKVLAAGWKKLLFFSS"]}]}
        other = http.post("/v1/msas:estimate", json=more).json()
        assert (other["chains"], other["reused"]) == (3, False)
        assert other["quota_cost"] == 3 * 16 * database["residues"]
