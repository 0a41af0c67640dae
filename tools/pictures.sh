# npm run pictures: screenshots of all screens, or of those named by the arguments, into .pictures/.
set -eu
. "$(dirname "$0")/node.sh"
. tools/bundles.sh

build_web
exec node tools/pictures.ts "$@"
