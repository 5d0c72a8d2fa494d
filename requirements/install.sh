#!/bin/sh
# Make a virtual environment and install one set of pinned requirements and the project into it.
# usage: install.sh PYTHON VENV runtime|dev|gpu|parquet|signing|tracing
set -eu
python=$1 venv=$2 set=$3

missing() {
    echo "Shardwater needs $1 (on Debian: apt-get install $2)" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 || missing "Python 3.11, 3.12 or 3.13" "python3 python3-venv"
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' ||
    missing "Python 3.11, 3.12 or 3.13, and $python is $("$python" -V 2>&1)" "python3 python3-venv"
"$python" -c 'import venv, ensurepip' 2>/dev/null || missing "Python's venv and pip" python3-venv

# The browser that the page's tests drive; without any they are skipped, and say so. The one without windows of its own
# opens a page in a quarter of the other's time.
install_browser() {
    apt-get update -qq || :
    for package in chromium-headless-shell chromium; do
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" && return
    done
    command -v chromium
}

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
browser=
if [ "$set" = dev ] && ! command -v chromium-headless-shell >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 &&
    [ "$(id -u)" = 0 ]; then
    echo "Installing Chromium ..." >&2
    install_browser >/dev/null 2>&1 &
    browser=$!
fi
echo "Installing the pinned requirements ($set) into $venv ..." >&2
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes \
    -r "requirements/$set.txt"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
# By all cores, where pip would do it by one, and without the packages' own tests. Some have files that are no Python.
"$venv/bin/python" -m compileall -qq -j 0 -x '/tests/' "$venv"/lib/python3*/site-packages || :
[ -z "$browser" ] || wait "$browser" ||
    echo "Chromium cannot be installed here: the page's tests will be skipped" >&2
# What the larger set has installed, the smaller one need not install again.
touch "$venv/.runtime"
touch "$venv/.$set"
