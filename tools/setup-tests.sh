# npm run setup:tests: installs what the tests need besides Node: PostgreSQL, Chromium, and foreign clients.
# Debian packages need root; without it, PostgreSQL is unpacked into .tools/, and the rest is named.
set -eu
. "$(dirname "$0")/node.sh"
. tools/debian.sh
. tools/postgres.sh
. tools/requirements.sh

check_requirements yes
[ -z "$unmet" ] || say "could not be installed:$unmet (the packages are in tools/requirements.sh)"
say "the tests can use: ${met:-nothing}"
