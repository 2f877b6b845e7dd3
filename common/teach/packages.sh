#!/bin/sh
# packages.sh - installs the packages of requirements.txt into build/packages, once, and anew when the list or
# Python has changed. It runs in the root of the course, and two at once wait for each other.
#
#     common/teach/packages.sh WHAT      WHAT needs them: "make exam"
#
# Says in a line what is missing, with status 1; what pip says is shown.
set -eu
what=$1 folder=build/packages list=common/teach/requirements.txt
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "$what: needs Python 3.11 or newer, and python3 is $(python3 --version)" >&2
    exit 1
}
mkdir -p build
exec 9>$folder.lock
flock 9
wanted="$(cksum <$list) $(python3 --version) $(pwd)"
[ "$(cat $folder/complete 2>/dev/null)" != "$wanted" ] || exit 0
python3 -c 'import ensurepip, venv' 2>/dev/null || {
    echo "$what: needs Python's venv: sudo apt-get install -y python3-venv" >&2
    exit 1
}
echo "installing the packages of $list into $folder, once: half a minute" >&2
rm -rf $folder
python3 -m venv $folder
$folder/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 -r $list || {
    echo "$what: pip could not install them, and says above why; PIP_INDEX_URL names another index" >&2
    exit 1
}
echo "$wanted" >$folder/complete
