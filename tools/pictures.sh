# npm run pictures: screenshots of all screens into .pictures/, or of those named by the arguments; renews those of tests and README.
set -eu
. "$(dirname "$0")/node.sh"
. tools/bundles.sh

build_web
exec node tools/pictures.ts "$@"
