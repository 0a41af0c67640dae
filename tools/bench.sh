# npm run bench: measures Dagsverk beside its peers, which are installed apart from its own dependencies.
set -eu
. "$(dirname "$0")/node.sh"

install_locked bench/peers 'the peers to measure against'
exec node --conditions=dagsverk-src bench/run.ts "$@"
