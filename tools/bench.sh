# npm run bench: runs the benchmark; its peers are installed separately from the dependencies.
set -eu
. "$(dirname "$0")/node.sh"
. tools/bundles.sh

case " $* " in
  *' --peer '*) has_peer=true ;;
  *' --smoke '* | *' --no-peer '* | *' --help '*) has_peer=false ;;
  *) has_peer=true ;;
esac
! $has_peer || install_locked bench/peers 'the peers to measure against'
build_server
export NODE_COMPILE_CACHE="$PWD/.tools/compile-cache"
exec node bench/run.ts "$@"
