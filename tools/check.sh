# npm run check: everything that must hold before a change lands, the cheapest first.
set -eu
. "$(dirname "$0")/node.sh"

stage() {
  say "$1"
  shift
  "$@"
}

PATH="$PWD/node_modules/.bin:$PATH"
stage types tsc -p tsconfig.json
stage lint oxlint --type-aware
stage format oxfmt --check .
stage 'unused code' knip
stage tests sh tools/test.sh "$@"
