# npm run pictures: every screen as a picture, into .pictures/. Arguments name the screens that are wanted.
set -eu
. "$(dirname "$0")/node.sh"
. tools/web.sh

build_web
exec node tools/pictures.ts "$@"
