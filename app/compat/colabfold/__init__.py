"""ColabFold's interface: MSAs by ticket, as its own server gives them, for ColabFold, Boltz, Chai and Protenix.

They post FASTA and a mode to /ticket/msa or /ticket/pair, follow /ticket/{id} and fetch /result/download/{id}; the last
two are MMseqs2-App's as well, and a ticket's form tells which it is (tickets.py).
"""
