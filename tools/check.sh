# npm test:       types, and the tests of everyday: what a contributor runs.
# npm run check:  also lint, format, unused code, and the tests that take long. Must pass before a change lands.
set -eu
. "$(dirname "$0")/node.sh"

stage() {
  say "$1"
  shift
  "$@"
}

PATH="$PWD/node_modules/.bin:$PATH"
export DAGSVERK_TEST_SCOPE="$1"
shift
stage types tsc -p tsconfig.json
stage 'types of the browser app' tsc -p web/tsconfig.json
stage 'types of its tests' tsc -p tests/web/tsconfig.json
if [ "$DAGSVERK_TEST_SCOPE" = all ]; then
  stage lint oxlint --type-aware
  stage format oxfmt --check .
  # The build's settings lead from a dist/ that is here back to src/.
  stage 'unused code' knip --tsConfig tsconfig.build.json
fi
stage tests sh tools/test.sh "$@"
