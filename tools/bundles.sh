# Sourced after node.sh: builds browser app and server if their sources are newer than the build.

build_web() { build 'the browser app' web/vite.config.ts web/dist web; }

build_server() { build 'the server' tools/vite.server.ts dist src tools/vite.server.ts; }

# build NAME CONFIG OUTPUT SOURCE...
build() {
  name=$1
  config=$2
  stamp=$3/.built
  shift 3
  [ ! -e "$stamp" ] ||
    [ -n "$(find "$@" package-lock.json -path web/dist -prune -o -newer "$stamp" -print -quit)" ] ||
    return 0
  say "building $name ..."
  # Vitest, which packs the program too, sets another NODE_ENV: React would be the development build.
  NODE_ENV=production node_modules/.bin/vite build --config "$config" >&2 && : >"$stamp"
}
