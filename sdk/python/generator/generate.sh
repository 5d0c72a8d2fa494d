#!/bin/sh
# Generate the low level of the client from the interface's description.
# usage: generate.sh FOLDER    (openapi-python-client must be on the PATH)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
openapi-python-client generate --path "$here/../../../openapi/openapi.json" --meta none --overwrite \
    --config "$here/config.yml" --custom-template-path "$here" --output-path "$1"
