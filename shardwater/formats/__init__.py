"""A finished search's answer in the formats that other programs read; docs/formats.md lists them.

Every writer takes a Report and yields pieces of text (or bytes), so that a long answer need not stand in memory
whole. None of them searches anew. JSON, the answer's own form, is written where pydantic is: by the service and the
command line.
"""
