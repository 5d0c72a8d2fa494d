"""What tests ask a service for: a short search, a long one, a secret one, and one that there is not."""

SECRET = "WYQCHNMKFDTPRGIVLASEWCWHWMKKYHPDFC"
NOBODY = "A" * 24
"""The id of no search."""
QUERY = ">q one title\nMKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERF\n"
LONG = "".join(f">long{number}\n{'MKVLAAGW' * 5000}\n" for number in range(4))
"""Minutes of two cores: whatever ends sooner was stopped."""
