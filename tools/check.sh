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
stage 'types of the browser app' tsc -p web/tsconfig.json
stage 'types of its tests' tsc -p tests/web/tsconfig.json
stage lint oxlint --type-aware
stage format oxfmt --check .
# The build's settings lead from a dist/ that lies here back to src/.
stage 'unused code' knip --tsConfig tsconfig.build.json
stage tests sh tools/test.sh "$@"
