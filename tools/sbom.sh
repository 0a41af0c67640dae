# npm run sbom: the packages in the published package as CycloneDX, on standard output.
set -eu
. "$(dirname "$0")/node.sh"
. tools/bundles.sh

build_web
build_server
exec node tools/sbom.ts
